import HTTPTypes

/// How an API words its errors.
struct ErrorFormat: Sendable {
  /// The answer to a request with a mistake of its own.
  var mistake: @Sendable (APIError) -> Answer
  /// The answer to a request that the limiter refused, without the fields that tell of the limit.
  var refusal: @Sendable (Refusal) -> Answer

  /// - Parameters:
  ///   - mistake: writes the body of a mistake.
  ///   - refusal: writes the body of a refusal.
  init(
    mistake: @escaping @Sendable (APIError, inout JSONWriter) -> Void,
    refusal: @escaping @Sendable (Refusal, inout JSONWriter) -> Void
  ) {
    self.mistake = { error in
      var answer = Answer.json(error.status) { mistake(error, &$0) }
      switch error {
      case .methodNotAllowed(let allowed): answer.headers[.allow] = allowed
      case .unauthorized: answer.headers[.wwwAuthenticate] = "Bearer"
      default: break
      }
      return answer
    }
    self.refusal = { denied in
      var answer = Answer.json(.tooManyRequests) { refusal(denied, &$0) }
      answer.headers[.retryAfter] = "\(denied.retryAfter)"
      return answer
    }
  }
}

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
