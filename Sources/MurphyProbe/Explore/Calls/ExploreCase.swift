import MurphyScenario
import MurphySchema

/// What is tried: requests one after another, of which the last is the one that counts.
package struct ExploreCase: Sendable, Hashable {
  /// What the answer to the last request may be.
  package enum Expectation: Sendable, Hashable {
    /// The contract allows the request.
    case accepted
    /// The contract forbids the request.
    case refused
    /// The request lacks the credentials that it needs.
    case unauthorised
    /// The thing is another user's.
    case forbidden
    /// The path does not document the method.
    case methodRefused
    /// Any answer that the contract documents.
    case anything
  }

  /// The kind of trial, for the table of what was tried.
  package enum Category: String, Sendable, Hashable, CaseIterable {
    case positive, negative, auth, state, pairs, random
  }

  package var steps: [ExploreCall]
  package var expectation: Expectation
  package var category: Category
  /// `query limit`, `body /price`; empty for the request as a whole.
  package var place: String
  /// The keyword that is tried, or a word for what is odd.
  package var constraint: String
  /// What is tried, for people.
  package var about: String
  /// What was put at the place; nil for no single value.
  package var value: JSONValue?
  /// What alone would be the cause, of several trials at once.
  var parts: [String] = []
  /// More than two trials that it makes at once.
  var combined: [ExploreCase] = []
  /// The name of the case that it is a part of; nil for one by itself.
  var whole: String?

  /// Equal for equal cases of the same document and seed.
  var name: String { whole ?? "\(category.rawValue) \(place) \(constraint): \(about)" }

  package var call: ExploreCall {
    get { steps[steps.count - 1] }
    set { steps[steps.count - 1] = newValue }
  }

  /// The case with identifiers in its body that no earlier request named: a refusal of the document's example may mean
  /// that it was stored before.
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
