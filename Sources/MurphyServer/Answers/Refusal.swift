import HTTPTypes

/// A request that the limiter refused.
struct Refusal: Error {
  var policy: LimitPolicyName
  var rule: LimitRule
  var decision: LimitDecision
  var caller: Caller
  /// The whole seconds that the client is told to wait.
  var retryAfter: Int

  /// Whole seconds after which a request will be admitted; never 0, for that would be now.
  init(policy: LimitPolicyName, rule: LimitRule, decision: LimitDecision, caller: Caller) {
    self.policy = policy
    self.rule = rule
    self.decision = decision
    self.caller = caller
    retryAfter = max(1, Int((Double(decision.wait) / 1e9).rounded(.up)))
  }

  func answer() -> Answer {
    var answer = Answer.json(.tooManyRequests) { json in
      json.object { json in
        json.name("error")
        json.string("Rate limit exceeded")
        json.name("message")
        json.string(message)
        json.name("retry_after")
        json.integer(retryAfter)
      }
    }
    answer.headers[.retryAfter] = "\(retryAfter)"
    return answer
  }

  private var message: String {
    "Too many \(policy.noun). Please try again in \(retryAfter) second\(retryAfter == 1 ? "" : "s")."
  }
}
