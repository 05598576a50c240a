import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyRegex
import MurphyScenario
import MurphyTransport

extension SessionRun {
  /// Keeps what the step saves of an answer.
  func save(
    _ step: CallStep, _ transfer: Transfer, _ request: PreparedRequest, _ body: AnswerBody
  ) throws(SessionEnd) {
    guard !step.saves.isEmpty else { return }
    let call = trail.call(step.operation.id, request, sent: transfer.sent)
    for save in step.saves {
      if let found = try found(save, step, transfer, request, body) {
        scope[save.variable] = found
        if isSecret(save, request) { scope.keepSecret(save.variable) }
        trace(saved: save.variable, found)
        trail.save(SavedValue(save, value: found, call: call))
        if case .string(let text) = found, loopRun.context.limits.logsAnything {
          loopRun.recorder.issues.note(
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

  private func isSecret(_ save: Save, _ request: PreparedRequest) -> Bool {
    save.isSecret || loopRun.context.savesSecrets[request.operation] || loopRun.context.isCredential(save.variable)
  }

  /// Knows the secrets that steps will save of an answer, before anybody is shown it.
  func collectSecrets(_ transfer: Transfer, _ request: PreparedRequest) {
    guard case .answered = transfer.ending else { return }
    for step in script.calls where step.operation.index == request.operation {
      for save in step.saves where isSecret(save, request) {
        let body = AnswerBody(transfer, parser: loopRun.parser)
        guard let value = try? found(save, step, transfer, request, body) else { continue }
        scope.learn(value, ShellVariable("saved", save.variable.name))
      }
    }
  }

  private func found(
    _ save: Save, _ step: CallStep, _ transfer: Transfer, _ request: PreparedRequest, _ body: AnswerBody
  ) throws(SessionEnd) -> JSONValue? {
    switch save.source {
    case .status: return JSONValue(transfer.status)
    case .header(let name):
      let found = transfer.headers.first { $0.name == name.lowercased() }.map { JSONValue.string($0.value) }
      return try captured(save, step, found)
    case .body(let path):
      let values = body.values(path)
      return try captured(save, step, path.isSingular ? values.first : .array(values))
    case .text: return try captured(save, step, .string(String(decoding: transfer.bodyBytes, as: UTF8.self)))
    case .cookie(let name):
      let value = cookie(name, in: transfer.headers) ?? connection.cookie(named: name, for: request.http.target)
      return try captured(save, step, value.map { .string($0) })
    case .link(let relation):
      return try captured(save, step, link(relation, step, transfer.headers, from: request.http.target))
    }
  }

  /// The same of an answer that the client has kept.
  func found(_ save: Save, in kept: KeptAnswers.Kept, _ step: CallStep) throws(SessionEnd) -> JSONValue? {
    let answer = kept.answer
    switch save.source {
    case .status: return JSONValue(answer.status)
    case .header(let name):
      let found = answer.headers.first { $0.name == name.lowercased() }.map { JSONValue.string($0.value) }
      return try captured(save, step, found)
    case .body(let path):
      guard case .json(let value) = answer.body else { return path.isSingular ? nil : .array([]) }
      let values = path.values(in: value)
      return try captured(save, step, path.isSingular ? values.first : .array(values))
    case .text:
      let text =
        switch answer.body {
        case .json(let value): value.text
        case .text(let text): text
        }
      return try captured(save, step, .string(text))
    case .cookie(let name):
      return try captured(
        save, step,
        (cookie(name, in: answer.headers) ?? connection.cookie(named: name, for: kept.call.http.target)).map {
          .string($0)
        })
    case .link(let relation):
      return try captured(save, step, link(relation, step, answer.headers, from: kept.call.http.target))
    }
  }

  /// What the pattern of a save takes out of a text, or of the first text of a list that it matches.
  private func captured(_ save: Save, _ step: CallStep, _ found: JSONValue?) throws(SessionEnd) -> JSONValue? {
    guard let pattern = save.pattern, let found else { return found }
    for text in found.array?.map(\.interpolated) ?? [found.interpolated] {
      switch pattern.capture(in: text, loopRun.patterns) {
      case .found(let value): return .string(value)
      case .none: continue
      case .limitExceeded:
        throw .failed(
          "\(step.operation.id): the pattern \(pattern.source) takes too many steps in \(save.source.subject); write it "
            + "without repetitions in repetitions")
      }
    }
    return nil
  }

  /// What the last `Set-Cookie` of that name sets (RFC 6265 §5.2).
  private func cookie(_ name: String, in headers: [HeaderField]) -> String? {
    headers.last { $0.name == "set-cookie" && $0.value.prefix { $0 != "=" }.trimmed == name }.map { field in
      let pair = field.value.prefix { $0 != ";" }
      return String(pair.dropFirst(pair.prefix { $0 != "=" }.count + 1).trimmed)
    }
  }

  /// Where the link leads, as path and query at the target: nowhere else do users go.
  private func link(
    _ relation: String, _ step: CallStep, _ headers: [HeaderField], from target: String
  ) throws(SessionEnd) -> JSONValue? {
    let links = WebLink.links(in: headers.filter { $0.name == "link" }.map(\.value))
    guard let link = links.first(where: { $0.relations.contains(relation) }) else { return nil }
    switch Redirect(link.target, from: target, at: loopRun.context.origin) {
    case .within(let target): return .string(target)
    case .away, .downgrade: throw .failed("\(step.operation.id): its link \(relation) leads away from the target")
    case .malformed: throw .failed("\(step.operation.id): its link \(relation) is not a URI reference")
    }
  }
}

extension Save {
  /// What was not there.
  fileprivate var missing: String {
    pattern.map { "nothing that matches \($0.source) in \(source.subject)" } ?? source.missing
  }
}

extension Save.Source {
  fileprivate var missing: String {
    switch self {
    case .body(let path): "nothing at \(path)"
    case .header(let name): "no header \(name)"
    case .status: "no status"
    case .text: "no body"
    case .cookie(let name): "no cookie \(name)"
    case .link(let relation): "no link \(relation)"
    }
  }

  fileprivate var subject: String {
    switch self {
    case .body(let path): "the text at \(path)"
    case .header(let name): "the header \(name)"
    case .status: "the status"
    case .text: "the body"
    case .cookie(let name): "the cookie \(name)"
    case .link(let relation): "the link \(relation)"
    }
  }
}
