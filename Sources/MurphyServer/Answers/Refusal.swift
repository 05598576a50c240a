/// A request that the limiter refused.
struct Refusal: Error {
  var policy: LimitPolicyName
  var rule: LimitRule
  var decision: LimitDecision

  /// Whole seconds after which a request will be admitted; never 0, for that would be now.
  var retryAfter: Int { max(1, Int((Double(decision.wait) / 1e9).rounded(.up))) }
}
