import MurphyModel

/// The promises that a run is judged by, besides the contract.
public struct Expectations: Sendable {
  public var budgets: [Budget] = []
  /// Where the limits of the budgets stand that the scenario writes.
  package var budgetMarks: [Budget: SourceMark] = [:]
  public var traffic = TrafficExpectation()
  public var limits: [LimitExpectation] = []
  public var coverage: CoverageExpectation?
  public var strictness = Strictness()
  /// An answer that could not be checked fails the run.
  public var failOnUnchecked = false
  public var state: [StateExpectation] = []

  public init() {}
}
