import MurphyContract
import MurphyJSON

/// A step of a drafted session.
package indirect enum DraftedStep: Sendable {
  case call(DraftedCall)
  case think(String)
  /// Steps that need a value: one of a list that an earlier answer gave.
  case pick(item: String, list: String, steps: [DraftedStep])
  /// Steps that need a value that an earlier answer may have given.
  case given(name: String, steps: [DraftedStep])
  /// A value made of others.
  case set(name: String, expression: String)
  /// Steps under one name.
  case group(String, [DraftedStep])
  case repeated(Int, [DraftedStep])

  /// All calls in it.
  var calls: [DraftedCall] {
    switch self {
    case .call(let call): [call]
    case .think, .set: []
    case .pick(_, _, let steps), .given(_, let steps), .group(_, let steps), .repeated(_, let steps): steps.calls
    }
  }
}

/// A call with all that it must have.
package struct DraftedCall: Sendable {
  /// The operationId, or `GET /laws/{id}`.
  package var operation: String
  /// In place of an operation: a request that the contract does not describe.
  package var request: (method: String, url: String)?
  package var path: [(name: String, value: DraftedValue)] = []
  package var query: [(name: String, value: DraftedValue)] = []
  package var headers: [(name: String, value: DraftedValue)] = []
  package var cookies: [(name: String, value: DraftedValue)] = []
  package var body: DraftedBody?
  package var saves: [DraftedSave] = []
  /// What queries of the body must find; nil for anything.
  var finds: [(path: String, value: JSONValue?)] = []
  /// Statuses that are fine beside success: what the API answered when it was measured.
  package var statuses: [Int] = []
  /// What success is: `201` where another status of success would name an item that the session has not created.
  var success = "2XX"
  /// Where these are all that is fine: `4XX`.
  package var only: [String] = []
  package var comment: String?
  /// The path of the item's collection, where 404 is fine because another session may have deleted the item.
  var mayBeGone: [String]?
  /// Whether no error is fine.
  var alwaysSucceeds: Bool { statuses.isEmpty && mayBeGone == nil }

  package init(operation: String) { self.operation = operation }
}

/// A value of a request: a sample, what an earlier answer gave, or a text with both.
package enum DraftedValue: Sendable {
  case constant(JSONValue)
  case variable(String)
  /// A text of the language: `Bearer ${token}`.
  case template(String)
}

/// A body, whose texts are of the language: `${…}` is an expression, and `$${` stands for `${`.
package enum DraftedBody: Sendable {
  case json(JSONValue, contentType: String?)
  case form(JSONObject)
  case text(String, contentType: String?)
  case multipart([DraftedPart])

  /// All of it, for the names that it reads.
  var text: String { if case .text(let text, _) = self { text } else { tree.text } }

  /// Its members; null for a text.
  var tree: JSONValue {
    switch self {
    case .json(let value, _): value
    case .form(let members): .object(members)
    case .text: .null
    case .multipart(let parts):
      .object(JSONObject(parts.filter { $0.fileName == nil }.map { ($0.name, $0.value) }))
    }
  }

  /// Gives a place another value.
  mutating func set(_ value: JSONValue, at pointer: JSONPointer) {
    guard let new = tree.replacing(at: pointer.tokens[...], with: value) else { return }
    switch self {
    case .json(_, let type): self = .json(new, contentType: type)
    case .form: if case .object(let members) = new { self = .form(members) }
    case .text: break
    case .multipart(var parts):
      for index in parts.indices where parts[index].name == pointer.tokens.first && parts[index].fileName == nil {
        parts[index].value = new.object?[parts[index].name] ?? parts[index].value
      }
      self = .multipart(parts)
    }
  }
}

/// A part of a `multipart:` body; with a file name or a type it is a file to the server.
package struct DraftedPart: Sendable {
  var name: String
  /// Its texts are of the language.
  var value: JSONValue
  var fileName: String?
  var type: String?
}

/// What an answer gives to later steps.
package struct DraftedSave: Sendable {
  package enum Source: Sendable {
    /// A JSONPath query of the body.
    case body(String)
    /// The same, null where there is nothing.
    case optionalBody(String)
    case header(String)
    case optionalHeader(String)
  }

  package var name: String
  package var source: Source

  package init(name: String, source: Source) { (self.name, self.source) = (name, source) }

  /// Takes back what an error response gave: it names nothing that the session can use.
  var kept: DraftedStep {
    let isList = if case .body(let path) = source { path.contains("[*]") } else { false }
    return .set(name: name, expression: "status < 300 ? \(name) : \(isList ? "slice(\(name), 0, 0)" : "null")")
  }

  /// Takes back what names an item that was there before: 201 says that one was created (RFC 9110 §15.3.2).
  var onlyNew: DraftedStep { .set(name: name, expression: "status == 201 ? \(name) : null") }

  /// The same, null where there is nothing.
  var optional: DraftedSave {
    switch source {
    case .body(let path): DraftedSave(name: name, source: .optionalBody(path))
    case .header(let header): DraftedSave(name: name, source: .optionalHeader(header))
    case .optionalBody, .optionalHeader: self
    }
  }
}

extension [DraftedStep] {
  /// All calls, in order.
  var calls: [DraftedCall] { flatMap(\.calls) }

  /// The same steps without saves that no step reads.
  var withoutIdleSaves: [DraftedStep] { without(savesBut: used) }

  /// With each call changed.
  func mapCalls(_ change: (DraftedCall) -> DraftedCall) -> [DraftedStep] {
    map { step in
      switch step {
      case .think, .set: step
      case .call(let call): .call(change(call))
      case .pick(let item, let list, let steps): .pick(item: item, list: list, steps: steps.mapCalls(change))
      case .given(let name, let steps): .given(name: name, steps: steps.mapCalls(change))
      case .group(let name, let steps): .group(name, steps.mapCalls(change))
      case .repeated(let count, let steps): .repeated(count, steps.mapCalls(change))
      }
    }
  }

  /// Names that the steps read.
  private var used: Set<String> {
    reduce(into: []) { used, step in
      switch step {
      case .think: break
      case .set(let name, let expression): used.formUnion(Self.words(expression).filter { $0 != name })
      case .pick(_, let list, let steps): used.formUnion(steps.used.union([list]))
      case .given(let name, let steps): used.formUnion(steps.used.union([name]))
      case .group(_, let steps), .repeated(_, let steps): used.formUnion(steps.used)
      case .call(let call):
        for (_, value) in call.path + call.query + call.headers + call.cookies {
          switch value {
          case .variable(let name): used.insert(name)
          case .template(let text): used.formUnion(Self.words(text))
          case .constant: break
          }
        }
        used.formUnion(Self.words(call.body?.text ?? ""))
        if let url = call.request?.url { used.formUnion(Self.words(url)) }
      }
    }
  }

  private static func words(_ text: String) -> [String] {
    text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }

  private func without(savesBut used: Set<String>) -> [DraftedStep] {
    compactMap { step in
      switch step {
      case .think: return step
      case .set(let name, let expression):
        return Self.words(expression).contains(name) && !used.contains(name) ? nil : step
      case .pick(let item, let list, let steps):
        return .pick(item: item, list: list, steps: steps.without(savesBut: used))
      case .given(let name, let steps): return .given(name: name, steps: steps.without(savesBut: used))
      case .group(let name, let steps): return .group(name, steps.without(savesBut: used))
      case .repeated(let count, let steps): return .repeated(count, steps.without(savesBut: used))
      case .call(var call):
        call.saves.removeAll { !used.contains($0.name) }
        return .call(call)
      }
    }
  }
}

extension JSONObject {
  /// Its members, to be taken apart.
  var pairs: [(key: String, value: JSONValue)] { members.map { ($0.key, $0.value) } }
}

extension DraftedStep {
  /// A request outside of the contract without the base path that its target has.
  func withoutBase(_ base: String) -> DraftedStep {
    switch self {
    case .group(let name, let steps): return .group(name, steps.map { $0.withoutBase(base) })
    case .repeated(let count, let steps): return .repeated(count, steps.map { $0.withoutBase(base) })
    case .call(var call):
      guard !base.isEmpty, let request = call.request, request.url.hasPrefix(base + "/") else { return self }
      call.request = (request.method, String(request.url.dropFirst(base.count)))
      return .call(call)
    case .think, .pick, .given, .set: return self
    }
  }
}
