import MurphyModel
import MurphySchema

/// The values that the recorder takes from the exchanges of one operation for one invariant.
package struct StateTap: Sendable {
  package var operation: OperationReference
  package var action: Action

  package init(_ operation: OperationReference, _ action: Action) {
    self.operation = operation
    self.action = action
  }

  /// What an exchange of the operation means for the invariant.
  package enum Action: Sendable {
    /// A vote: the first kind whose condition holds, and the counts in its own response.
    case vote(key: StateSource, voter: StateSource, kinds: [VoteKind], shown: Counts?)
    /// A write that adds one.
    case raise(key: StateSource, shown: Counts?)
    /// A write from which a formula takes numbers and conditions.
    case measure(key: StateSource, Measures)
    /// A response with numbers: one for the key of the request, or one for each element.
    case show(Place, Counts)
    /// A change that sends the version that it is based on.
    case push(Push)
    /// A response with versioned entries.
    case entries(Place, Entry)
    /// The whole value of a key, which a read of the key also returns.
    case put(key: StateSource, value: StateSource)
    case get(key: StateSource, value: JSONPath)
    case delete(key: StateSource)
    case create(id: JSONPath)
    /// Ids of all items, or of some of them.
    case list(ids: JSONPath, isWhole: Bool)
    /// One item: it exists with a status 2xx, and is absent with 404 or 410.
    case look(key: StateSource)
    case send(Batch)
    /// - Parameter arrives: the condition under which a receipt confirms a message that arrived.
    case receipts(asked: StateSource, found: JSONPath, arrives: ReceiptMatch?)
    /// A value that only grows.
    case ordered(key: StateSource, value: JSONPath, isRead: Bool)
  }

  /// The values that a formula takes from a write: at most two numbers, and the conditions that hold.
  package struct Measures: Sendable {
    package var numbers: [StateSource]
    package var matches: [StateMatch]
    /// The number that is read from a write that meets a condition; nil for every write.
    package var needs: [(number: Int, match: Int?)]
  }

  /// 1 for up, 2 for down, 4 for none.
  package struct VoteKind: Sendable {
    /// 1 for up, 2 for down, 4 for none.
    package var bit: Int64
    /// Nil if every request of the operation is of the kind.
    package var condition: StateMatch?
  }

  /// The places of the numbers in a response, or in one element of it.
  package struct Counts: Sendable {
    package var first: JSONPath?
    package var second: JSONPath?
  }

  /// The key or keys that a response describes.
  package enum Place: Sendable {
    /// The key in the request.
    case request(StateSource)
    /// Elements, each with its own key.
    case each(JSONPath, key: JSONPath)
  }

  /// A version and its content, in a response.
  package struct Entry: Sendable {
    package var version: JSONPath
    /// Fields of the content, in the order of the fields in a push.
    package var content: [JSONPath]
  }

  /// A write that is based on a version.
  package struct Push: Sendable {
    package var key: StateSource
    /// The version that the client had read.
    package var based: StateSource
    package var version: JSONPath
    package var content: [StateSource]
    /// By status: the place of the current entry in a rejection.
    package var conflicts: [(status: Int, at: JSONPath)]
    package var entry: Entry
  }

  /// Several messages in a single request.
  package struct Batch: Sendable {
    package var messages: StateSource
    package var tickets: JSONPath
    /// Within a ticket; a ticket without it is an error.
    package var id: JSONPath
    /// Messages whose ticket must be an error.
    package var marks: StateGlob?
    /// Messages whose receipt must report a failure.
    package var fails: StateGlob?
  }

  /// `$.status == ok`, within a receipt.
  package struct ReceiptMatch: Sendable {
    package var field: JSONPath
    /// False if the value must differ.
    package var isEqual: Bool
    package var value: String
  }
}

/// The place of a value in an exchange.
package enum StateSource: Sendable, Hashable {
  /// A parameter in the path of the operation.
  case path(String)
  case query(String)
  case header(String)
  case body(JSONPath)
  case answer(JSONPath)
  /// The operationId.
  case operation

  /// As in a scenario: `path.id`.
  package var text: String {
    switch self {
    case .path(let name): "path.\(name)"
    case .query(let name): "query.\(name)"
    case .header(let name): "header.\(name)"
    case .body(let path): "body\(path.text.dropFirst())"
    case .answer(let path): path.text
    case .operation: "operation"
    }
  }
}

/// `body.vote_type == up`
package struct StateMatch: Sendable, Hashable {
  package var source: StateSource
  /// False if the value must differ.
  package var isEqual: Bool
  package var value: String
}

/// `to in bad-*`
package struct StateGlob: Sendable, Hashable {
  package var field: JSONPath
  /// The parts between its asterisks.
  package var parts: [String]

  /// True if the whole text is the parts with any text between them.
  package func matches(_ text: String) -> Bool {
    guard parts.count > 1, let last = parts.last else { return text == parts.first }
    guard text.hasPrefix(parts[0]) else { return false }
    var rest = text.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}

/// Reads the short strings in which an invariant describes places of values. They are data and are not executed.
enum StateText {
  /// `path.id`, `query.law`, `header.X-Device-ID`, `body.vote_type`, `body[*]`, `operation`, `$.upvotes`.
  static func source(_ text: String) throws(ExpressionMistake) -> StateSource {
    if text == "operation" { return .operation }
    if text.hasPrefix("$") { return .answer(try path(text, offset: 0)) }
    if text == "body" || text.hasPrefix("body.") || text.hasPrefix("body[") {
      return .body(try path("$" + text.dropFirst(4), offset: 3))
    }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, !parts[1].isEmpty {
      switch parts[0] {
      case "path": return .path(parts[1])
      case "query": return .query(parts[1])
      case "header": return .header(parts[1].lowercased())
      default: break
      }
    }
    let hint = suggestion(for: parts[0], among: ["path", "query", "header", "body"])
    throw ExpressionMistake(
      message: "\"\(text)\" is not a part of a request or response; write path.NAME, query.NAME, header.NAME, "
        + "body.FIELD, or a JSONPath query for the response such as $.id" + hint)
  }

  static func path(_ text: String, offset: Int) throws(ExpressionMistake) -> JSONPath {
    do {
      return try JSONPath(text)
    } catch {
      throw ExpressionMistake(message: "not a JSONPath query: \(error.message)", offset: max(error.offset + offset, 0))
    }
  }

  /// The fields of a request as fields of an entry: `body.text` becomes `$.text`.
  static func field(_ source: StateSource) -> JSONPath? {
    switch source {
    case .body(let path), .answer(let path): path
    case .path, .query, .header, .operation: nil
    }
  }

  /// `body.vote_type == up`, with `!=` too, and a value in quotes or without.
  static func match(_ text: String) throws(ExpressionMistake) -> StateMatch {
    for sign in ["==", "!="] {
      guard let found = text.firstRange(of: sign) else { continue }
      let left = text[..<found.lowerBound].trimmingBlanks()
      let source = try source(left)
      var value = text[found.upperBound...].trimmingBlanks()
      guard !value.isEmpty else {
        throw ExpressionMistake(message: "\"\(text)\" needs a value after the operator", offset: text.count - 1)
      }
      if value.count >= 2, let quote = value.first, "'\"".contains(quote), value.last == quote {
        value = String(value.dropFirst().dropLast())
      }
      return StateMatch(source: source, isEqual: sign == "==", value: value)
    }
    throw ExpressionMistake(message: "\"\(text)\" is not a condition such as body.vote_type == up")
  }

  /// `to in bad-*`
  static func glob(_ text: String) throws(ExpressionMistake) -> StateGlob {
    guard let found = text.firstRange(of: " in ") else {
      throw ExpressionMistake(
        message: "\"\(text)\" is not a condition on messages; write a condition such as to in bad-*")
    }
    let name = text[..<found.lowerBound].trimmingBlanks()
    let pattern = text[found.upperBound...].trimmingBlanks()
    let field = try path(name.hasPrefix("$") ? name : "$." + name, offset: name.hasPrefix("$") ? 0 : -2)
    return StateGlob(
      field: field, parts: pattern.split(separator: "*", omittingEmptySubsequences: false).map(String.init))
  }
}
