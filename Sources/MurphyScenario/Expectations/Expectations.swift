import MurphyModel

/// The promises that a run is judged by, besides the contract.
package struct Expectations: Sendable {
  package var budgets: [Budget] = []
  /// Where the limits of the budgets stand that the scenario writes.
  package var budgetMarks: [Budget: SourceMark] = [:]
  package var traffic = TrafficExpectation()
  package var limits: [LimitExpectation] = []
  package var coverage: CoverageExpectation?
  package var strictness = Strictness()
  /// An answer that could not be checked fails the run.
  package var failOnUnchecked = false
  package var state: [StateExpectation] = []
  package var relations = RelationExpectation()
  package var strength = StrengthExpectation()
  /// Where it stands; nil for a scenario without it.
  package var strengthMark: SourceMark?

  package init() {}
}
