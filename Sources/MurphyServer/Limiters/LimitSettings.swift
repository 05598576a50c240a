/// What the limiters of one server are told.
package struct LimitSettings: Sendable {
  package var algorithm = LimiterAlgorithm.fixed
  package var isOff = false
  package var overrides: [LimitOverride] = []
  /// Factor on every window: 0.1 makes a minute of the contract six seconds.
  package var timeScale = 1.0
  package var headers = RateHeaders.none
  package var clock = LimitClock.monotonic

  package init() {}

  /// The rule for a policy: the last override that names it, else what the contract promises.
  package func rule(for policy: LimitPolicyName) -> LimitRule {
    let override = overrides.last { $0.policies.contains(policy) }
    return LimitRule(
      algorithm: algorithm, allowance: override?.allowance ?? policy.allowance,
      window: max(1, Int64(Double(override?.window ?? 60_000_000_000) * timeScale)), burst: override?.burst)
  }
}
