import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphySchema

/// The requests of a case as shell commands. Each takes values from earlier responses, as in the exploration.
struct CaseScript {
  let origin: Origin
  let setting: ExploreConfiguration
  let callers: ExploreCallers
  private var mask: SecretMask { setting.mask }

  /// - Parameter status: of the last request; 0 without a response.
  func text(_ requests: [PreparedCall], status: Int) -> ShellScript {
    let drawn = Self.drawn(requests)
    var steps: [CurlScript.Step] = drawn.map { text, variable in
      .draw(variable, text.contains("-") ? .uuid : .letters(text.utf8.count))
    }
    // The values that later requests take from each response.
    var wanted: [Int: [(place: ResponsePlace, variable: ShellVariable)]] = [:]
    for call in requests.map(\.call) {
      for case .response(let step, let place) in call.sources
      where wanted[step]?.contains(where: { $0.place == place }) != true {
        let number = wanted.values.reduce(0) { $0 + $1.count } + 1
        wanted[step, default: []].append((place, ShellVariable("VALUE\(number)")))
      }
    }
    // Responses to earlier requests set the cookies.
    let isOwn = { (setter: HTTPRequest) in requests.contains { $0.request.isSame(as: setter) } }
    let setters = requests.last?.cookies.map { $0.setters.filter { !isOwn($0) } }
    let cookieFile = setters.map { _ in ShellVariable("saved", "cookies") }
    if let cookieFile { steps.append(.cookieFile(cookieFile)) }
    for setter in setters ?? [] {
      var request = CurlRequest(setter, mask, setting.transport)
      (request.url, request.cookieFile) = (mask.word(origin.text + setter.target), cookieFile)
      steps.append(.requests([request]))
    }
    for index in requests.indices {
      var request = curl(requests, index, wanted, drawn)
      request.cookieFile = cookieFile
      if status == 0, index == requests.count - 1 { request.timeout = setting.transport.timeout }
      guard let places = wanted[index] else {
        steps.append(.requests([request]))
        continue
      }
      let response = ShellVariable("ANSWER\(index + 1)")
      steps.append(.keepResponse(response, to: request))
      for (place, variable) in places {
        switch place {
        case .body(let pointer):
          steps.append(.extractFromBody(variable, from: response, filter: Self.filter(pointer)))
        case .header(let name): steps.append(.extractHeader(variable, from: response, name: name))
        case .location: steps.append(.extractHeader(variable, from: response, name: "location"))
        }
      }
    }
    return CurlScript(steps).text
  }

  /// The generated strings in these requests, each with its variable.
  private static func drawn(_ requests: [PreparedCall]) -> [(String, ShellVariable)] {
    var texts: [String] = []
    for text in requests.flatMap(\.newTexts) where !texts.contains(text) {
      if requests.contains(where: { $0.request.holds(text) }) { texts.append(text) }
    }
    return texts.enumerated().map { ($0.element, ShellVariable("drawn", String($0.offset + 1))) }
  }

  /// `.data[0]["id"]`
  private static func filter(_ pointer: JSONPointer) -> String {
    if pointer.tokens.isEmpty { return "." }
    return pointer.tokens.reduce("") { text, token in
      text
        + (Int(token) == nil
          ? (text.isEmpty ? "." : "") + "[\(JSONValue.string(token).text)]" : (text.isEmpty ? "." : "") + "[\(token)]")
    }
  }

  private func curl(
    _ requests: [PreparedCall], _ index: Int, _ wanted: [Int: [(place: ResponsePlace, variable: ShellVariable)]],
    _ drawn: [(String, ShellVariable)]
  ) -> CurlRequest {
    let one = requests[index]
    var curl = CurlRequest(one.request, mask, setting.transport)
    let marked = marked(one, after: requests[..<index])
    let request = marked?.request ?? one.request
    func variable(_ source: CallValue) -> ShellVariable? {
      guard case .response(let step, let place) = source else { return nil }
      return wanted[step]?.first { $0.place == place }?.variable
    }
    let variables = (marked?.marks ?? []).compactMap { mark, source in variable(source).map { (mark, $0) } } + drawn
    if let link = one.call.link, let variable = variable(link.source) {
      curl.url = ShellWord(link.isPath ? "\(origin.scheme)://\(origin.authority)" : "") + ShellWord(variable)
    } else {
      curl.url = word(origin.text + request.target, variables)
    }
    if let body = request.body.map({ String(decoding: $0, as: UTF8.self) }),
      marked != nil || drawn.contains(where: { body.contains($0.0) })
    {
      curl.body = word(body, variables)
    }
    curl.headers = curl.headers.map { field in
      guard let own = request.headers.first(where: { $0.name == field.name }),
        variables.contains(where: { own.value.contains($0.0) })
      else { return field }
      return CurlRequest.Field(field.name, word(own.value, variables))
    }
    return curl
  }

  /// The request with a mark at each value from a response; nil if there are none.
  private func marked(
    _ one: PreparedCall, after before: ArraySlice<PreparedCall>
  ) -> (request: HTTPRequest, marks: [(String, CallValue)])? {
    let sources = one.call.sources
    // A shell command cannot encode a part of a value.
    guard !sources.isEmpty, one.call.spelling == nil else { return nil }
    let marks = sources.enumerated().map { ("murphymark\($0.offset)x", $0.element) }
    func mark(_ source: CallValue) -> String? { marks.first { $0.1 == source }?.0 }
    var body = one.body
    for (pointer, source) in one.call.references {
      guard let name = mark(source), let number = pointer.resolve(in: body ?? .null) else { continue }
      // Numbers have no quotes.
      let text = number.string == nil ? "murphynumber" + name : name
      body = body?.replacing(at: pointer.tokens[...], with: .string(text))
    }
    let value = { (source: CallValue) -> JSONValue? in
      switch source {
      case .literal(let value): value
      case .drawn(let name): one.drawn[name]
      case .response: mark(source).map { .string($0) }
      case .sent(let step, let pointer):
        before.indices.contains(step) ? before[step].body.flatMap(pointer.resolve) : nil
      }
    }
    guard
      var request = try? one.call.request(
        setting.contract, body: body, credentials: callers.credentials(of: one.call), value: value)
    else { return nil }
    if let bytes = request.body {
      let text = String(decoding: bytes, as: UTF8.self)
      request.body = Array(text.replacing(/"murphynumber(murphymark\d+x)"/) { $0.output.1 }.utf8)
    }
    return (request, marks)
  }

  /// The text with variables at the marks, and masked secrets.
  private func word(_ text: String, _ variables: [(String, ShellVariable)]) -> ShellWord {
    guard let (mark, variable) = variables.first(where: { text.contains($0.0) }) else { return mask.word(text) }
    let parts = text.components(separatedBy: mark)
    return parts.dropFirst().reduce(word(parts[0], variables)) { whole, part in
      whole + ShellWord(variable) + word(part, variables)
    }
  }
}

extension ExploreCall {
  /// Its values from responses, each once.
  var sources: [CallValue] {
    var seen: Set<CallValue> = []
    let all =
      path.sorted { $0.key < $1.key }.map(\.value) + (query + headers + cookies).map(\.value)
      + references.sorted { $0.key.description < $1.key.description }.map(\.value) + [link?.source].compactMap(\.self)
    return all.filter { if case .response = $0 { seen.insert($0).inserted } else { false } }
  }
}

extension HTTPRequest {
  fileprivate func isSame(as other: HTTPRequest) -> Bool {
    method == other.method && target == other.target && body == other.body
  }

  fileprivate func holds(_ text: String) -> Bool {
    target.contains(text) || headers.contains { $0.value.contains(text) }
      || body.map { String(decoding: $0, as: UTF8.self).contains(text) } == true
  }
}
