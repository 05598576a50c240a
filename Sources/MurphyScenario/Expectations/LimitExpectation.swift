import MurphyModel

/// A rate limit that the scenario promises, and how its refusals must be.
package struct LimitExpectation: Sendable, Hashable {
  package var policy: LimitPolicy
  /// The slowest that a refusal may be, from the actual send.
  package var refusalBudget: Duration?
  /// The longest wait that a refusal may ask for.
  package var longestWait: Duration?
  /// Where it stands in the scenario; nil for one that was not read from a file.
  package var mark: SourceMark?

  package init(
    policy: LimitPolicy, refusalBudget: Duration? = nil, longestWait: Duration? = nil, mark: SourceMark? = nil
  ) {
    self.policy = policy
    self.refusalBudget = refusalBudget
    self.longestWait = longestWait
    self.mark = mark
  }
}
