import MurphyEngine
import MurphyScenario
import MurphySchema

/// One test case: a sequence of requests; the last one is evaluated.
package struct ExploreCase: Sendable, Hashable {
  /// The expected response to the last request.
  package enum Expectation: Sendable, Hashable {
    /// The contract allows the request.
    case accepted
    /// The contract forbids the request.
    case refused
    /// The request lacks the credentials that it needs.
    case unauthorised
    /// The item belongs to another user.
    case forbidden
    /// The path does not document the method.
    case methodRefused
    /// Any documented response.
    case anything
  }

  /// The kind of case, for the table of tested cases.
  package enum Category: String, Sendable, Hashable, CaseIterable {
    case positive, negative, auth, state, pairs, random
  }

  /// One of several changes.
  struct Change: Sendable, Hashable {
    var place: String
    var about: String
  }

  /// The last one is evaluated; those before it prepare the state.
  package var steps: [ExploreCall]
  /// The response that the contract requires.
  package var expectation: Expectation
  /// The kind of input that the case tries.
  package var category: Category
  /// `query limit`, `body /price`; empty for the request as a whole.
  package var place: String
  /// The tested keyword, or a word for the deviation.
  package var constraint: String
  /// The description of the case, for people.
  package var about: String
  /// The value at the place; nil for several values or none.
  package var value: JSONValue?
  /// A rule for the response, apart from the expectation; nil for none.
  var rule: ExchangeRule?
  /// The possible single causes in a case with several changes.
  var parts: [String] = []
  /// The changes in a case with several.
  var changes: [Change] = []
  /// The combined cases, if there are more than two.
  var combined: [ExploreCase] = []
  /// The name of the case that it is a part of; nil for an independent case.
  var whole: String?

  /// Equal for equal cases of the same document and seed.
  var name: String { whole ?? "\(category.rawValue) \(place) \(constraint): \(about)" }

  /// The step that is evaluated.
  package var call: ExploreCall {
    get { steps[steps.count - 1] }
    set { steps[steps.count - 1] = newValue }
  }

  /// The case with identifiers in its body that no earlier request used. A rejection of the document's example may mean
  /// that it was already stored.
  var withNewIdentifiers: ExploreCase {
    var copy = self
    for (pointer, _) in call.body.map({ BodyNames.references(in: $0) }) ?? [] {
      guard call.fresh[pointer] == nil, call.references[pointer] == nil,
        let text = call.body.flatMap(pointer.resolve)?.string
      else { continue }
      copy.call.fresh[pointer] = Freshness(like: text)
    }
    return copy
  }
}

/// A value of a request: a literal, or taken from an earlier response of the same case.
package enum CallValue: Sendable, Hashable {
  case literal(JSONValue)
  /// A new UUID for each run of the case; equal names are equal values.
  case drawn(String)
  case response(step: Int, ResponsePlace)
  /// A value that an earlier step has sent in its body.
  case sent(step: Int, JSONPointer)

  /// The value, if it is a literal.
  var literal: JSONValue? { if case .literal(let value) = self { value } else { nil } }
}

/// The place of a value in a response.
package enum ResponsePlace: Sendable, Hashable {
  case body(JSONPointer)
  /// By its lower-case name.
  case header(String)
  /// The last segment of the path of `Location`.
  case location

  /// The same place of another item of a list, counted from 0.
  func ofItem(_ item: Int) -> ResponsePlace {
    guard case .body(let pointer) = self, let index = pointer.tokens.lastIndex(of: "0") else { return self }
    var tokens = pointer.tokens
    tokens[index] = "\(item)"
    return .body(JSONPointer(tokens: tokens))
  }

  /// Nil if the response has no such place, or no value there that could be sent again.
  func value(in response: ClientResponse, json: JSONValue?) -> JSONValue? {
    switch self {
    case .body(let pointer):
      guard let value = json.flatMap({ pointer.resolve(in: $0) }) else { return nil }
      switch value {
      case .null, .array, .object: return nil
      default: return value
      }
    case .header(let name): return response.header(name).map { .string($0) }
    case .location:
      let path = response.header("location")?.prefix { $0 != "?" && $0 != "#" }
      return path?.split(separator: "/").last.map { .string(String($0)) }
    }
  }
}
