import MurphyModel

/// A rate limit that the scenario promises, and how its refusals must be.
public struct LimitExpectation: Sendable, Hashable {
  public var policy: LimitPolicy
  /// The slowest that a refusal may be, from the actual send.
  public var refusalBudget: Duration?
  /// The longest wait that a refusal may ask for.
  public var longestWait: Duration?

  public init(policy: LimitPolicy, refusalBudget: Duration? = nil, longestWait: Duration? = nil) {
    self.policy = policy
    self.refusalBudget = refusalBudget
    self.longestWait = longestWait
  }
}
