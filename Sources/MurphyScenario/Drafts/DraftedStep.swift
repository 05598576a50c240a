import MurphyModel
import MurphySchema

/// A step of a session, as a draft writes it.
package indirect enum DraftedStep: Sendable {
  case call(DraftedCall)
  case think(String)
  /// A value computed from others.
  case set(name: String, expression: String)
  case block(DraftedBlock, [DraftedStep])
}

/// A step that contains other steps.
package enum DraftedBlock: Sendable {
  /// Inner steps that require a value: one from a list in an earlier response.
  case pick(item: String, list: String)
  /// Inner steps that require a value that an earlier response may contain.
  case given(name: String)
  case group(String)
  case repeated(Int)

  /// The name that is required for all inner steps.
  var condition: String? {
    switch self {
    case .pick(_, let name), .given(let name): name
    case .group, .repeated: nil
    }
  }
}

/// A call of an operation, as a draft writes it.
package struct DraftedCall: Sendable {
  /// The operationId, or `GET /laws/{id}`.
  package var operation: String
  /// A request that the contract does not describe, in place of an operation.
  package var request: (method: String, url: String)?
  package var path: [(name: String, value: DraftedValue)] = []
  package var query: [(name: String, value: DraftedValue)] = []
  package var headers: [(name: String, value: DraftedValue)] = []
  package var cookies: [(name: String, value: DraftedValue)] = []
  package var body: DraftedBody?
  /// The values that later steps need.
  package var saves: [DraftedSave] = []
  /// The values that queries of the body must find; nil for any value.
  var finds: [(path: String, value: JSONValue?)] = []
  /// Accepted statuses other than success: the API returned them in the measurement.
  package var statuses: [Int] = []
  /// The success status. It is `201` if another success status would name an item that the session has not created.
  var success = "2XX"
  /// The only accepted statuses, if there are any: `4XX`.
  package var only: [String] = []
  /// True if the session goes on after an unexpected status, because later steps need nothing from this call.
  var goesOn = false
  /// A comment in the YAML; nil for none.
  package var comment: String?
  /// The path of a DELETE, if 404 is accepted because another session may have deleted the item.
  var mayBeGone: [String]?
  /// True if no error is accepted.
  var alwaysSucceeds: Bool { statuses.isEmpty && mayBeGone == nil }

  package init(operation: String) { self.operation = operation }

  /// The names that the expressions of its request read.
  var names: [String] {
    let values = (path + query + headers + cookies).flatMap { pair -> [String] in
      switch pair.value {
      case .variable(let name): [name]
      case .template(let text): NameList.expressions(in: text)
      case .constant: []
      }
    }
    return values + [body?.text, request?.url].compactMap(\.self).flatMap(NameList.expressions)
  }
}

/// A value of a request: a sample, a value of an earlier response, or a string with both.
package enum DraftedValue: Sendable {
  case constant(JSONValue)
  case variable(String)
  /// A template string of the scenario language: `Bearer ${token}`.
  case template(String)
}

/// A body. Its strings are templates: `${…}` is an expression, and `$${` means a literal `${`.
package enum DraftedBody: Sendable {
  case json(JSONValue, contentType: String?)
  case form(JSONObject)
  case text(String, contentType: String?)
  case multipart([DraftedPart])

  /// The whole body as text, to find the names that it reads.
  var text: String { if case .text(let text, _) = self { text } else { tree.text } }

  /// Its fields; null for a text body.
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

/// A part of a `multipart:` body. A part with a file name or a type is a file to the server.
package struct DraftedPart: Sendable {
  var name: String
  /// Its strings are templates of the scenario language.
  var value: JSONValue
  var fileName: String?
  var type: String?
}

/// A value that a response passes to later steps.
package struct DraftedSave: Sendable {
  /// The place of the value in the response.
  package enum Source: Sendable {
    /// A JSONPath query of the body.
    case body(String)
    case header(String)
  }

  package var name: String
  package var source: Source
  /// Null if nothing is found.
  var isOptional: Bool

  package init(name: String, source: Source, isOptional: Bool = false) {
    (self.name, self.source, self.isOptional) = (name, source, isOptional)
  }

  /// The query of a body; nil for a header.
  var path: String? { if case .body(let path) = source { path } else { nil } }

  /// Discards a value from an error response, because it names nothing that the session can use.
  var kept: DraftedStep {
    let isList = !isOptional && path?.contains("[*]") == true
    return .set(name: name, expression: "status < 300 ? \(name) : \(isList ? "slice(\(name), 0, 0)" : "null")")
  }

  /// Discards the name of an item that existed before: 201 means that one was created (RFC 9110 §15.3.2).
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

  /// The steps, where requests outside the contract do not have the base path of their target.
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

  /// The names that the steps read.
  var used: Set<String> {
    reduce(into: []) { used, step in
      switch step {
      case .think: break
      case .set(let name, let expression): used.formUnion(NameList.names(in: expression).filter { $0 != name })
      case .block(let block, let steps):
        used.formUnion(steps.used)
        if let name = block.condition { used.insert(name) }
      case .call(let call): used.formUnion(call.names)
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

/// Names in template strings of the scenario language.
enum NameList {
  static func names(in text: String) -> [String] {
    text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }

  /// The names within `${…}`.
  static func expressions(in text: String) -> [String] {
    text.matches(of: /\$\{([^}]*)\}/).flatMap { names(in: String($0.1)) }
  }
}

extension String {
  /// The text, escaped so that `${` does not begin an expression.
  package var literal: String { replacingScalars("${", with: "$${") }

  /// The text. If it is taken, the first free number from 2 is appended.
  func numbered(_ separator: String = "", where isTaken: (String) -> Bool) -> String {
    guard isTaken(self) else { return self }
    var number = 2
    while isTaken("\(self)\(separator)\(number)") { number += 1 }
    return "\(self)\(separator)\(number)"
  }
}

extension JSONValue {
  /// A copy in which no string is read as an expression.
  package var literal: JSONValue { mapTexts { .string($0.literal) } }

  /// The value with each string changed, at any depth.
  func mapTexts(_ change: (String) -> JSONValue) -> JSONValue {
    switch self {
    case .string(let text): change(text)
    case .array(let items): .array(items.map { $0.mapTexts(change) })
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.mapTexts(change)) }))
    default: self
    }
  }
}
