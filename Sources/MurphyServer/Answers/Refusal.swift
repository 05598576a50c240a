import HTTPTypes

/// A request that the limiter refused.
struct Refusal: Error {
  var limit: ReferenceLimit
  var rule: LimitRule
  var decision: LimitDecision
  var caller: Caller
  /// The whole seconds that the client is told to wait.
  var retryAfter: Int

  /// Whole seconds after which a request will be admitted; never 0, for that would be now.
  init(limit: ReferenceLimit, rule: LimitRule, decision: LimitDecision, caller: Caller) {
    self.limit = limit
    self.rule = rule
    self.decision = decision
    self.caller = caller
    retryAfter = max(1, Int((Double(decision.wait) / 1e9).rounded(.up)))
  }

  /// `Too many votes. Please try again in 7 seconds.`
  var message: String {
    "Too many \(limit.noun). Please try again in \(retryAfter) second\(retryAfter == 1 ? "" : "s")."
  }
}
