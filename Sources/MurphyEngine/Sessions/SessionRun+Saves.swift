import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

extension SessionRun {
  func save(
    _ step: CallStep, _ transfer: Transfer, _ request: PreparedRequest, _ body: ResponseBody
  ) throws(SessionEnd) {
    guard !step.saves.isEmpty else { return }
    let call = history.call(step.operation.id, request, sent: transfer.sent)
    for save in step.saves {
      if let found = try found(save, step, in: .new(transfer, body, target: request.http.target)) {
        store(found, save, request.operation, of: call)
        if case .string(let text) = found, loopRun.context.limits.logsAnything {
          loopRun.recorder.issues.recordSaved(
            text, of: save, request, transfer, sourceAddress: connection.sourceAddress,
            sentCookies: connection.cookiesSet > transfer.headers.count { $0.name == "set-cookie" },
            unique: scope.unique, keep: { loopRun.recorder.limits.keep($0) })
        }
      } else if let fallback = save.fallback {
        let value = try evaluate(fallback)
        scope[save.variable] = value
        trace(saved: save.variable, value)
      } else {
        throw .failed("\(step.operation.id): \(save.missing) to save as \(save.variable.name)")
      }
    }
  }

  /// After a response from which nothing is saved, a name without a value gets the default of its save. A query for many
  /// values has the empty list as its default.
  func saveDefaults(of step: CallStep) throws(SessionEnd) {
    for save in step.saves where scope[save.variable] == nil {
      if let fallback = save.fallback {
        scope[save.variable] = try evaluate(fallback)
      } else if case .body(let path) = save.source, !path.isSingular, save.pattern == nil {
        scope[save.variable] = .array([])
      }
    }
  }

  func store(_ found: JSONValue, _ save: Save, _ operation: Int?, of call: EarlierCall) {
    scope[save.variable] = found
    if isSecret(save, operation) { scope.keepSecret(save.variable) }
    trace(saved: save.variable, found)
    history.save(SavedValue(save, value: found, call: call))
  }

  private func isSecret(_ save: Save, _ operation: Int?) -> Bool {
    save.isSecret || loopRun.context.isCredential(save.variable)
      || operation.map { loopRun.context.savesSecrets[$0] } ?? false
  }

  /// Collects the secrets that steps will save from a response, before the response is shown.
  func collectSecrets(_ transfer: Transfer, _ request: PreparedRequest) {
    guard case .answered = transfer.ending else { return }
    for step in script.calls where step.operation.index == request.operation {
      for save in step.saves where isSecret(save, request.operation) {
        let body = ResponseBody(transfer: transfer, parser: loopRun.parser)
        guard let value = try? found(save, step, in: .new(transfer, body, target: request.http.target)) else {
          continue
        }
        scope.learn(value, ShellVariable("saved", save.variable.name))
      }
    }
  }

  func found(_ save: Save, _ step: CallStep, in response: SavedResponse) throws(SessionEnd) -> JSONValue? {
    let found: JSONValue?
    switch save.source {
    case .status: return JSONValue(response.status)
    case .header(let name):
      found = response.headers.first { $0.name == name.lowercased() }.map { .string($0.value) }
    case .body(let path):
      let values = response.values(path)
      found = path.isSingular ? values.first : .array(values)
    case .text: found = .string(response.text)
    case .cookie(let name):
      let value = cookie(name, in: response.headers) ?? connection.cookie(named: name, for: response.target)
      found = value.map { .string($0) }
    case .link(let relation): found = try link(relation, step, response.headers, from: response.target)
    }
    return try captured(save, step, found)
  }

  /// The part that the pattern of a save extracts from a string, or from the first string of a list that it matches.
  private func captured(_ save: Save, _ step: CallStep, _ found: JSONValue?) throws(SessionEnd) -> JSONValue? {
    guard let pattern = save.pattern, let found else { return found }
    for text in found.array?.map(\.interpolated) ?? [found.interpolated] {
      switch pattern.capture(in: text, loopRun.patterns) {
      case .found(let value): return .string(value)
      case .none: continue
      case .limitExceeded:
        throw .failed(
          "\(step.operation.id): the pattern \(pattern.source) needs too many steps in \(save.source.subject); remove "
            + "nested repetitions from the pattern")
      }
    }
    return nil
  }

  /// The value in the last `Set-Cookie` of that name (RFC 6265 §5.2).
  private func cookie(_ name: String, in headers: [HeaderField]) -> String? {
    headers.last { $0.name == "set-cookie" && $0.value.prefix { $0 != "=" }.trimmed == name }.map { field in
      let pair = field.value.prefix { $0 != ";" }
      return String(pair.dropFirst(pair.prefix { $0 != "=" }.count + 1).trimmed)
    }
  }

  /// The destination of the link, as path and query at the target. Users go nowhere else.
  private func link(
    _ relation: String, _ step: CallStep, _ headers: [HeaderField], from target: String
  ) throws(SessionEnd) -> JSONValue? {
    let links = WebLink.links(in: headers.filter { $0.name == "link" }.map(\.value))
    guard let link = links.first(where: { $0.relations.contains(relation) }) else { return nil }
    switch Redirect(link.target, from: target, at: loopRun.context.origin) {
    case .within(let target): return .string(target)
    case .away, .downgrade:
      throw .failed("\(step.operation.id): the link \(relation) leads to another server than the target")
    case .malformed: throw .failed("\(step.operation.id): the link \(relation) is not a valid URI reference")
    }
  }
}

/// The source of saved values: a response that was just received, or one that the client has kept.
enum SavedResponse {
  case new(Transfer, ResponseBody, target: String)
  case kept(KeptResponses.Kept)

  var status: Int {
    switch self {
    case .new(let transfer, _, _): transfer.status
    case .kept(let kept): kept.response.status
    }
  }

  /// Names in lower case.
  var headers: [HeaderField] {
    switch self {
    case .new(let transfer, _, _): transfer.headers
    case .kept(let kept): kept.response.headers
    }
  }

  var target: String {
    switch self {
    case .new(_, _, let target): target
    case .kept(let kept): kept.call.http.target
    }
  }

  var text: String {
    switch self {
    case .new(let transfer, _, _): return String(decoding: transfer.bodyBytes, as: UTF8.self)
    case .kept(let kept):
      return switch kept.response.body {
      case .json(let value): value.text
      case .text(let text): text
      }
    }
  }

  func values(_ path: JSONPath) -> [JSONValue] {
    switch self {
    case .new(_, let body, _): return body.values(path)
    case .kept(let kept):
      guard case .json(let value) = kept.response.body else { return [] }
      return path.values(in: value)
    }
  }
}

extension Save {
  fileprivate var missing: String {
    if let pattern { return "no match for \(pattern.source) in \(source.subject)" }
    if case .body = source { return "no value at \(source.place)" }
    return "no \(source.place)"
  }
}

extension Save.Source {
  /// The place of a value in the response.
  var place: String {
    switch self {
    case .body(let path): "\(path)"
    case .header(let name): "header \(name)"
    case .status: "status"
    case .text: "body"
    case .cookie(let name): "cookie \(name)"
    case .link(let relation): "link \(relation)"
    }
  }

  fileprivate var subject: String {
    if case .body = self { "the text at \(place)" } else { "the \(place)" }
  }
}
