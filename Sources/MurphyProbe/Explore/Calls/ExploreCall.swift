import MurphyScenario
import MurphySchema

/// One request of a case, before its values are known.
package struct ExploreCall: Sendable, Hashable {
  package struct Named: Sendable, Hashable {
    package var name: String
    package var value: CallValue
  }

  /// Whose credentials a request carries.
  package enum Caller: String, Sendable, Hashable {
    case own
    case none
    /// Of the right form, and nobody's.
    case wrong
    /// The own token under another scheme of authentication.
    case wrongScheme
    case other
  }

  /// Index into the contract's operations.
  package var operation: Int
  package var path: [String: CallValue] = [:]
  package var query: [Named] = []
  package var headers: [Named] = []
  package var cookies: [Named] = []
  package var body: JSONValue?
  /// The documented media type that the body is written in.
  package var mediaType: String?
  /// Places of the body whose values come from answers.
  package var references: [JSONPointer: CallValue] = [:]
  /// Places of the body that get a new value in each run.
  package var fresh: [JSONPointer: Freshness] = [:]

  // What departs from the contract.

  /// In place of the operation's own method.
  package var method: String?
  /// In place of the body's text.
  package var rawBody: String?
  package var leavesOutBody = false
  /// In place of the body's type; empty for none.
  package var contentType: String?
  /// Behind the query, as it is.
  package var rawQuery: String?
  /// In place of path and query.
  package var rawTarget: String?
  package var caller = Caller.own
  /// Counted apart from the operation, because the contract says nothing of the answer to such a request.
  package var isOffContract = false

  init(_ operation: Int) { self.operation = operation }

  /// Without conditions, and without things of other collections, that earlier answers would give: what stands in the path
  /// stays.
  var withoutAnswers: ExploreCall {
    var copy = self
    copy.headers.removeAll { if case .answer = $0.value { true } else { false } }
    copy.references = [:]
    return copy
  }

  /// Without what the case does not need, the same request.
  var isPlain: Bool { method == nil && rawBody == nil && contentType == nil && rawQuery == nil && !leavesOutBody }
}

package enum Freshness: Sendable, Hashable {
  case uuid
  case email
  /// A text of so many characters at most.
  case word(most: Int)
  case pattern(String, least: Int, most: Int)
  /// An integer with nine or ten digits.
  case number

  /// Values of the same form: a UUID, hexadecimal digits, or a word.
  init(like text: String) {
    if BodyNames.isUUID(text) {
      self = .uuid
    } else if text.utf8.count >= 8, text.wholeMatch(of: /[0-9a-f]+/) != nil {
      self = .pattern("^[0-9a-f]{\(text.utf8.count)}$", least: text.utf8.count, most: text.utf8.count)
    } else {
      self = .word(most: max(text.count, 15))
    }
  }
}
