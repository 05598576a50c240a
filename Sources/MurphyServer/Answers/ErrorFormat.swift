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
