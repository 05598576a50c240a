import MurphyModel
import MurphySchema

package indirect enum DraftedStep: Sendable {
  case call(DraftedCall)
  case think(String)
  /// A value made of others.
  case set(name: String, expression: String)
  case block(DraftedBlock, [DraftedStep])
}

package enum DraftedBlock: Sendable {
  /// They need a value: one of a list that an earlier answer gave.
  case pick(item: String, list: String)
  /// They need a value that an earlier answer may have given.
  case given(name: String)
  case group(String)
  case repeated(Int)

  /// The name without which none of the steps is taken.
  var condition: String? {
    switch self {
    case .pick(_, let name), .given(let name): name
    case .group, .repeated: nil
    }
  }
}

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
    case header(String)
  }

  package var name: String
  package var source: Source
  /// Null where there is nothing.
  var isOptional: Bool

  package init(name: String, source: Source, isOptional: Bool = false) {
    (self.name, self.source, self.isOptional) = (name, source, isOptional)
  }

  /// The query of a body; nil for a header.
  var path: String? { if case .body(let path) = source { path } else { nil } }

  /// Takes back what an error response gave: it names nothing that the session can use.
  var kept: DraftedStep {
    let isList = !isOptional && path?.contains("[*]") == true
    return .set(name: name, expression: "status < 300 ? \(name) : \(isList ? "slice(\(name), 0, 0)" : "null")")
  }

  /// Takes back what names an item that was there before: 201 says that one was created (RFC 9110 §15.3.2).
  var onlyNew: DraftedStep { .set(name: name, expression: "status == 201 ? \(name) : null") }

  var optional: DraftedSave { DraftedSave(name: name, source: source, isOptional: true) }
}

extension [DraftedStep] {
  var calls: [DraftedCall] {
    flatMap { step -> [DraftedCall] in
      switch step {
      case .call(let call): [call]
      case .think, .set: []
      case .block(_, let steps): steps.calls
      }
    }
  }

  func mapCalls(_ change: (DraftedCall) -> DraftedCall) -> [DraftedStep] {
    map { step in
      switch step {
      case .think, .set: step
      case .call(let call): .call(change(call))
      case .block(let block, let steps): .block(block, steps.mapCalls(change))
      }
    }
  }

  /// Requests outside of the contract without the base path that their target has.
  func withoutBase(_ base: String) -> [DraftedStep] {
    base.isEmpty
      ? self
      : mapCalls { call in
        guard let request = call.request, request.url.hasPrefix(base + "/") else { return call }
        var call = call
        call.request = (request.method, String(request.url.dropFirst(base.count)))
        return call
      }
  }

  var withoutIdleSaves: [DraftedStep] { without(savesBut: used) }

  private var used: Set<String> {
    reduce(into: []) { used, step in
      switch step {
      case .think: break
      case .set(let name, let expression): used.formUnion(NameList.names(in: expression).filter { $0 != name })
      case .block(let block, let steps):
        used.formUnion(steps.used)
        if let name = block.condition { used.insert(name) }
      case .call(let call):
        for (_, value) in call.path + call.query + call.headers + call.cookies {
          switch value {
          case .variable(let name): used.insert(name)
          case .template(let text): used.formUnion(NameList.names(in: text))
          case .constant: break
          }
        }
        used.formUnion(NameList.names(in: call.body?.text ?? ""))
        if let url = call.request?.url { used.formUnion(NameList.names(in: url)) }
      }
    }
  }

  private func without(savesBut used: Set<String>) -> [DraftedStep] {
    compactMap { step in
      switch step {
      case .think: return step
      case .set(let name, let expression):
        return NameList.names(in: expression).contains(name) && !used.contains(name) ? nil : step
      case .block(let block, let steps): return .block(block, steps.without(savesBut: used))
      case .call(var call):
        call.saves.removeAll { !used.contains($0.name) }
        return .call(call)
      }
    }
  }
}

/// Names in texts of the scenario language.
enum NameList {
  static func names(in text: String) -> [String] {
    text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }

  /// Those within `${…}`.
  static func expressions(in text: String) -> [String] {
    text.matches(of: /\$\{([^}]*)\}/).flatMap { names(in: String($0.1)) }
  }
}

extension String {
  /// The text in which `${` begins no expression of the language.
  package var literal: String { replacingScalars("${", with: "$${") }

  /// The text, with the first number from 2 on behind it that makes it free.
  func numbered(_ separator: String = "", where isTaken: (String) -> Bool) -> String {
    guard isTaken(self) else { return self }
    var number = 2
    while isTaken("\(self)\(separator)\(number)") { number += 1 }
    return "\(self)\(separator)\(number)"
  }
}

extension JSONValue {
  package var literal: JSONValue { mapTexts { .string($0.literal) } }

  /// With each text changed, at any depth.
  func mapTexts(_ change: (String) -> JSONValue) -> JSONValue {
    switch self {
    case .string(let text): change(text)
    case .array(let items): .array(items.map { $0.mapTexts(change) })
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.mapTexts(change)) }))
    default: self
    }
  }
}
