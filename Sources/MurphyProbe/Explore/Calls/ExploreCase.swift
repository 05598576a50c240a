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

  /// The last one is evaluated; those before it prepare the state.
  package var steps: [ExploreCall]
  package var expectation: Expectation
  package var category: Category
  /// `query limit`, `body /price`; empty for the request as a whole.
  package var place: String
  /// The tested keyword, or a word for the deviation.
  package var constraint: String
  /// The description of the case, for people.
  package var about: String
  /// The value at the place; nil for several values or none.
  package var value: JSONValue?
  /// The possible single causes in a case with several changes.
  var parts: [String] = []
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
