import HTTPTypes

/// A request that the limiter refused.
struct Refusal: Error {
  var policy: LimitPolicyName
  var rule: LimitRule
  var decision: LimitDecision

  /// Whole seconds after which a request will be admitted; never 0, for that would be now.
  var retryAfter: Int { max(1, Int((Double(decision.wait) / 1e9).rounded(.up))) }
}

extension Refusal {
  /// The refusal as the contract has it, or as the faults have it.
  func answer(_ faults: FaultPlan) -> Answer {
    let seconds = announced(faults)
    if faults.has(.limitHTML) {
      var answer = Answer.html(.tooManyRequests, title: "429 Too Many Requests")
      answer.headers[.retryAfter] = "\(seconds)"
      return answer
    }
    let bodySeconds = faults.has(.retryAfterMismatch) ? seconds + 7 : seconds
    var answer = Answer.json(faults.has(.limit503) ? .serviceUnavailable : .tooManyRequests) { json in
      json.object { json in
        json.name("error")
        json.string("Rate limit exceeded")
        if !faults.has(.bareError) {
          json.name("message")
          json.string(message(bodySeconds))
        }
        json.name("retry_after")
        json.integer(bodySeconds)
      }
    }
    if faults.has(.retryAfterFraction) {
      answer.headers[.retryAfter] = "\(seconds).5"
    } else if !faults.has(.retryAfterMissing) {
      answer.headers[.retryAfter] = "\(seconds)"
    }
    return answer
  }

  private func message(_ seconds: Int) -> String {
    "Too many \(policy.noun). Please try again in \(seconds) second\(seconds == 1 ? "" : "s")."
  }

  private func announced(_ faults: FaultPlan) -> Int {
    if faults.has(.retryAfterShort) { return max(1, Int(decision.wait / 2_000_000_000)) }
    if faults.has(.retryAfterLong) { return retryAfter * 2 + 3 }
    if faults.has(.retryAfterConstant) { return max(1, Int((Double(rule.window) / 1e9).rounded(.up))) }
    if faults.has(.retryAfterMilliseconds) { return Int(decision.wait / 1_000_000) + 1 }
    return retryAfter
  }
}
