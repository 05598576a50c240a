import MurphyScenario
import MurphySchema

/// One request of a case, before its values are known.
package struct ExploreCall: Sendable, Hashable {
  /// A parameter with its value.
  package struct Named: Sendable, Hashable {
    package var name: String
    package var value: CallValue
  }

  /// The owner of the credentials that a request has.
  package enum Caller: String, Sendable, Hashable {
    case own
    case none
    /// Credentials with a valid form that belong to no user.
    case wrong
    /// The own token under another authentication scheme.
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
  /// The documented media type of the body.
  package var mediaType: String?
  /// Places of the body with values from responses.
  package var references: [JSONPointer: CallValue] = [:]
  /// Places of the body that get a new value in each run.
  package var fresh: [JSONPointer: Freshness] = [:]

  // The deviations from the contract.

  /// Replaces the operation's own method.
  package var method: String?
  /// Replaces the body's text.
  package var rawBody: String?
  /// True if the request has no body although the contract documents one.
  package var leavesOutBody = false
  /// Replaces the body's type; empty for none.
  package var contentType: String?
  /// Appended to the query without changes.
  package var rawQuery: String?
  /// Replaces path and query.
  package var rawTarget: String?
  /// The user who sends it.
  package var caller = Caller.own
  /// Counted separately from the operation, because the contract does not define the response to such a request.
  package var isOffContract = false

  init(_ operation: Int) { self.operation = operation }

  /// Without conditions, and without references to items of other collections, that earlier responses would provide.
  /// Values in the path stay.
  var withoutAnswers: ExploreCall {
    var copy = self
    copy.headers.removeAll { if case .answer = $0.value { true } else { false } }
    copy.references = [:]
    return copy
  }

  /// True if the request does not deviate from the form in the contract.
  var isPlain: Bool { method == nil && rawBody == nil && contentType == nil && rawQuery == nil && !leavesOutBody }
}

package enum Freshness: Sendable, Hashable {
  case uuid
  case email
  /// A string with at most this many characters.
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
