import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyScenario
import MurphyTransport

/// Writes the shell commands that send a request again.
///
/// Values that the session took from earlier answers are asked for anew where the earlier call changed something (a
/// created order, a login). What a GET found is still there: such values are written out, with a note of the call
/// that found them.
struct ReproductionScript {
  let context: RunContext
  let mask: SecretMask
  private var steps: [CurlScript.Step] = []
  private var notes: [String] = []
  /// The variables that hold the answers of calls made again.
  private var answers: [ObjectIdentifier: ShellVariable] = [:]
  private var names: [String: String] = [:]
  private var cookieFile: ShellVariable?

  init(context: RunContext, mask: SecretMask) {
    self.context = context
    self.mask = mask
  }

  /// - Parameter timeout: seconds after which the last request is given up; nil for none.
  static func text(
    _ http: HTTPRequest, needs: [SavedValue], cookies: [EarlierCall], context: RunContext, mask: SecretMask,
    timeout: Double? = nil
  ) -> String {
    var script = ReproductionScript(context: context, mask: mask)
    if !cookies.isEmpty {
      script.cookieFile = ShellVariable("saved", "cookies")
      script.steps.append(.cookieFile(ShellVariable("saved", "cookies")))
      for call in cookies { _ = script.answer(of: call) }
    }
    var request = script.request(http, needs: needs)
    request.timeout = timeout
    return CurlScript(script.notes.map { .note($0) } + script.steps + [.requests([request])]).text
  }

  private mutating func request(
    _ http: HTTPRequest, needs: [SavedValue], output: CurlRequest.Output = .answer
  ) -> CurlRequest {
    let values = SavedLeaves(needs)
    var request = CurlRequest(
      method: http.method, url: replaced(mask.word(context.origin.text + http.target), values), output: output,
      authorities: context.transport.authorities, checksCertificates: context.transport.checksCertificates)
    for field in http.headers {
      request.headers.append(CurlRequest.Field(field.name, replaced(mask.word(field), values)))
    }
    request.body = http.body.map { replaced(mask.word($0), values) }
    request.cookieFile = cookieFile
    return request
  }

  /// The variable that holds the answer of a call, which the script makes first.
  private mutating func answer(of call: EarlierCall) -> ShellVariable {
    if let known = answers[ObjectIdentifier(call)] { return known }
    let request = request(call.http, needs: call.needs, output: .body)
    let variable = ShellVariable("answer", String(answers.count + 1))
    answers[ObjectIdentifier(call)] = variable
    steps.append(.keep(variable, bodyOf: request))
    return variable
  }

  /// The word with saved values, where they stand alone, as variables.
  private mutating func replaced(_ word: ShellWord, _ values: SavedLeaves) -> ShellWord {
    guard !values.isEmpty else { return word }
    var result = ShellWord()
    for piece in word.pieces {
      guard case .bytes(let bytes) = piece else {
        result.append(piece)
        continue
      }
      for token in bytes.split(keeping: SavedLeaves.isSeparator) {
        if let leaf = values[token], let variable = variable(for: leaf) {
          result.append(variable)
        } else {
          result.append(.bytes(Array(token)))
        }
      }
    }
    return result
  }

  /// Nil where the value is written out.
  private mutating func variable(for leaf: SavedLeaves.Leaf) -> ShellVariable? {
    let operation = leaf.saved.call.operation
    guard case .body(let path) = leaf.saved.source else {
      note("\(leaf.text) was taken from an answer of \(operation)")
      return nil
    }
    guard !leaf.saved.call.isSafe, let filter = leaf.filter(path) else {
      note("\(leaf.text) was taken from an answer of \(operation) (\(path))")
      return nil
    }
    var variable = ShellVariable("saved", leaf.saved.variable.name)
    if let other = names[variable.name], other != leaf.place {
      variable = ShellVariable("saved", leaf.saved.variable.name, String(names.count + 1))
    }
    if names[variable.name] == nil {
      let answer = answer(of: leaf.saved.call)
      names[variable.name] = leaf.place
      steps.append(.extract(variable, from: answer, filter: filter))
    }
    return variable
  }

  private mutating func note(_ text: String) {
    let text = mask.masked(text)
    if !notes.contains(text) { notes.append(text) }
  }
}
