import HTTPTypes

/// One planted deviation from the document.
package struct Fault: Sendable {
  package var name: String
  /// The `operationId` of the operation that shows it.
  package var operation: String
  package var sentence: String
  var hook: Hook
  /// Whether the hook sees all methods of the operation's path.
  var isOfPath = false

  enum Hook: Sendable {
    /// A constraint that is not checked.
    case skips(Check)
    /// Stands around the operation: may change the call, the response, and what is stored.
    case around(@Sendable (Call, (Call) -> Answer) async -> Answer)
  }

  var skipped: Check? { if case .skips(let check) = hook { check } else { nil } }

  package static let all = crashes + unchecked + refusals + corners + permissions + memory + silences

  /// Faults that a client notices, and that break no rule of the document.
  package static let warned = [
    around("dead-link", "listAuthors", "`Link` names a path that is not there.") { call, answer in
      var plain = answer(call)
      if let name = HTTPField.Name("Link"), let link = plain.headers[name] {
        plain.headers[name] = link.replacing("/authors", with: "/author")
      }
      return plain
    }
  ]

  static func around(
    _ name: String, _ operation: String, _ sentence: String, ofPath: Bool = false,
    _ hook: @escaping @Sendable (Call, (Call) -> Answer) async -> Answer
  ) -> Fault {
    Fault(name: name, operation: operation, sentence: sentence, hook: .around(hook), isOfPath: ofPath)
  }

  static func skip(
    _ name: String, _ operation: String, _ schema: String, _ field: String, _ keyword: Check.Keyword,
    _ sentence: String
  ) -> Fault {
    Fault(
      name: name, operation: operation, sentence: sentence,
      hook: .skips(Check(schema: schema, field: field, keyword: keyword)))
  }

  /// A fault that answers 500 to the requests of an operation for which `isOdd` holds.
  static func crash(
    _ name: String, _ operation: String, _ sentence: String, when isOdd: @escaping @Sendable (Call) -> Bool
  ) -> Fault {
    around(name, operation, sentence) { call, answer in
      let plain = answer(call)
      // Who may not call it gets no further than the clean server lets them.
      return isOdd(call) && ![401, 406].contains(plain.status.code) ? .crash : plain
    }
  }
}

extension Answer {
  /// What most frameworks answer when a handler throws.
  static var crash: Answer {
    var answer = Answer(.internalServerError)
    answer.headers[.contentType] = "text/plain; charset=utf-8"
    answer.text = "Internal Server Error"
    return answer
  }
}

extension Call {
  /// The body as far as it is JSON.
  var json: JSON? { try? JSONParser.parse(body) }

  func parameter(_ name: String) -> String? { query.pairs.first { $0.name == name }?.value }

  /// The same call by another user.
  func by(_ user: String) -> Call {
    var call = self
    let token = shop.state.withLock { state in state.tokens.first { $0.value == user }?.key }
    call.headers[.authorization] = token.map { "Bearer \($0)" }
    return call
  }
}

/// The same for those who know other faults too.
package typealias PlantedFault = Fault
