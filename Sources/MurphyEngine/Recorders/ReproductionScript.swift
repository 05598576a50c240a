import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Writes the shell commands that reproduce a request.
///
/// The session may use values from earlier responses. If the earlier call changed something (a created order, a login),
/// the script repeats that call to get new values. What a GET found still exists: such values are written out, with a
/// note of the call that found them.
struct ReproductionScript {
  let context: RunContext
  let mask: SecretMask
  private var steps: [CurlScript.Step] = []
  private var remarks: [String] = []
  /// The variables that hold the responses of repeated calls.
  private var responses: [ObjectIdentifier: ShellVariable] = [:]
  private var whole: Set<ShellVariable> = []
  private var names: [String: String] = [:]
  private var cookieFile: ShellVariable?
  private var drawn: DrawnTexts
  /// Calls whose response headers are also needed.
  private var headed: Set<ObjectIdentifier> = []

  /// - Parameter timeout: the time until the last request is cancelled; nil for no timeout.
  static func text(
    _ http: HTTPRequest, needs: [SavedValue], history: RequestHistory, context: RunContext, mask: SecretMask,
    timeout: Duration? = nil
  ) -> ShellScript {
    var script = ReproductionScript(context: context, mask: mask, drawn: DrawnTexts(history.unique, for: http))
    if !history.cookieCalls.isEmpty {
      script.cookieFile = ShellVariable("saved", "cookies")
      script.steps.append(.cookieFile(ShellVariable("saved", "cookies")))
      for call in history.cookieCalls { _ = script.response(of: call) }
    }
    var request = script.request(http, needs: needs)
    request.timeout = timeout
    let steps = script.remarks.map { .note($0) } + script.drawn.steps + script.steps
    return CurlScript(steps + [.requests([request])]).text
  }

  private mutating func request(
    _ http: HTTPRequest, needs: [SavedValue], output: CurlRequest.Output = .response
  ) -> CurlRequest {
    let values = SavedLeaves(needs)
    for saved in needs { if case .header = saved.source { headed.insert(ObjectIdentifier(saved.call)) } }
    var request = CurlRequest(http, mask, context.transport)
    request.output = output
    request.cookieFile = cookieFile
    request.url = replaced(mask.word(context.origin.text + http.target), values)
    for index in request.headers.indices {
      request.headers[index].value = replaced(request.headers[index].value, values)
    }
    request.body = request.body.map { replaced($0, values) }
    request.upload = request.upload?.replacing { replaced($0, values) }
    return request
  }

  /// The variable that holds the response of a call. The script makes this call first.
  private mutating func response(of call: EarlierCall) -> ShellVariable {
    if let known = responses[ObjectIdentifier(call)] { return known }
    let isWhole = headed.contains(ObjectIdentifier(call))
    let request = request(call.http, needs: call.needs, output: isWhole ? .response : .body)
    let variable = ShellVariable("answer", String(responses.count + 1))
    responses[ObjectIdentifier(call)] = variable
    if isWhole { whole.insert(variable) }
    steps.append(isWhole ? .keepResponse(variable, to: request) : .keep(variable, bodyOf: request))
    return variable
  }

  /// The word in which generated values and separate saved values are replaced by variables.
  private mutating func replaced(_ word: ShellWord, _ values: SavedLeaves) -> ShellWord {
    var result = ShellWord()
    var pieces: [ShellWord.Piece] = []
    for piece in word.pieces {
      if case .bytes(let bytes) = piece { pieces += drawn.pieces(of: bytes) } else { pieces.append(piece) }
    }
    for piece in pieces {
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
    let call = leaf.saved.call
    guard !call.isSafe, let variable = named(leaf) else {
      addRemark("\(leaf.text) is from a response of \(call.operation)\(leaf.saved.source.note)")
      return nil
    }
    guard names[variable.name] == nil else { return variable }
    let response = response(of: call)
    guard let step = extraction(leaf, as: variable, from: response) else {
      addRemark("\(leaf.text) is from a response of \(call.operation)\(leaf.saved.source.note)")
      return nil
    }
    names[variable.name] = leaf.place
    steps.append(step)
    return variable
  }

  /// A name that no other part of a saved value has. Nil for a value that no script can find again.
  private func named(_ leaf: SavedLeaves.Leaf) -> ShellVariable? {
    guard leaf.saved.isWhole else { return nil }
    switch leaf.saved.source {
    case .status, .text, .cookie, .link: return nil
    case .body(let path): if leaf.filter(path) == nil { return nil }
    case .header: break
    }
    let variable = ShellVariable("saved", leaf.saved.variable.name)
    guard let other = names[variable.name], other != leaf.place else { return variable }
    return ShellVariable("saved", leaf.saved.variable.name, String(names.count + 1))
  }

  private func extraction(
    _ leaf: SavedLeaves.Leaf, as variable: ShellVariable, from response: ShellVariable
  ) -> CurlScript.Step? {
    switch leaf.saved.source {
    case .status, .text, .cookie, .link: return nil
    case .header(let name):
      return whole.contains(response) ? .extractHeader(variable, from: response, name: name) : nil
    case .body(let path):
      guard let filter = leaf.filter(path) else { return nil }
      return whole.contains(response)
        ? .extractFromBody(variable, from: response, filter: filter)
        : .extract(variable, from: response, filter: filter)
    }
  }

  private mutating func addRemark(_ text: String) {
    let text = mask.masked(text)
    if !remarks.contains(text) { remarks.append(text) }
  }
}

extension Save.Source {
  /// The place of a value in the response, for a note.
  fileprivate var note: String {
    switch self {
    case .body: " (\(place))"
    case .status: ""
    case .header, .text, .cookie, .link: " (its \(place))"
    }
  }
}

/// The strings and numbers within saved values, found by their form in a request.
struct SavedLeaves {
  struct Leaf {
    let saved: SavedValue
    /// The place within the saved value, in jq syntax: `[3]["id"]`.
    let place: String
    let text: String

    /// Finds the leaf in the response. Nil where the query cannot be written in jq syntax.
    func filter(_ path: JSONPath) -> String? {
      guard let filter = path.filter else { return nil }
      return (path.isSingular ? filter : "[\(filter)]") + place
    }
  }

  private var leaves: [[UInt8]: Leaf] = [:]
  private static let most = 2_000

  init(_ values: [SavedValue]) {
    for saved in values { add(saved.value, of: saved, at: "") }
  }

  subscript(token: ArraySlice<UInt8>) -> Leaf? { leaves[Array(token)] }

  private mutating func add(_ value: JSONValue, of saved: SavedValue, at place: String) {
    guard leaves.count < Self.most else { return }
    switch value {
    case .string, .number:
      let text = value.interpolated
      let bytes = Array(text.utf8)
      // A string with a separator is never found.
      guard !bytes.isEmpty, leaves[bytes] == nil else { return }
      leaves[bytes] = Leaf(saved: saved, place: place, text: text)
    case .array(let elements):
      for (index, element) in elements.enumerated() { add(element, of: saved, at: place + "[\(index)]") }
    case .object(let object):
      for (name, element) in object { add(element, of: saved, at: place + JSONPath.member(name)) }
    case .null, .bool: break
    }
  }

  /// The separators of the values in a path, a query, a form, a header and JSON.
  static func isSeparator(_ byte: UInt8) -> Bool { byte <= 0x20 || "/?&=;,:\"{}[]".utf8.contains(byte) }
}

extension [UInt8] {
  /// Runs of bytes. Each separator is a separate run.
  func split(keeping isSeparator: (UInt8) -> Bool) -> [ArraySlice<UInt8>] {
    var runs: [ArraySlice<UInt8>] = []
    var start = startIndex
    for index in indices where isSeparator(self[index]) {
      if start < index { runs.append(self[start..<index]) }
      runs.append(self[index...index])
      start = index + 1
    }
    if start < endIndex { runs.append(self[start...]) }
    return runs
  }
}
