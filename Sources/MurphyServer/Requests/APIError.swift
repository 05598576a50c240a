import Hummingbird

/// A mistake in a request; the API decides its wording.
package enum APIError: Error, Equatable {
  /// 400; the field is nil if the body as a whole is invalid.
  case invalid(_ field: String?, _ message: String)
  /// 401
  case unauthorized(_ message: String)
  /// 403
  case forbidden(_ message: String)
  /// 404
  case notFound(_ message: String)
  /// 405, with the methods of the path.
  case methodNotAllowed(_ allowed: String)
  /// 413
  case tooLarge(limit: Int)
  /// 415, with the received and the expected media type.
  case unsupportedMediaType(_ found: String?, expected: String)
  /// 400 with a named reason of the API.
  case named(_ code: String, _ message: String)

  package var status: HTTPResponse.Status { kind.status }

  /// The kind of mistake in words.
  package var title: String { kind.title }

  private var kind: (status: HTTPResponse.Status, title: String) {
    switch self {
    case .invalid, .named: (.badRequest, "Invalid request")
    case .unauthorized: (.unauthorized, "Unauthorized")
    case .forbidden: (.forbidden, "Forbidden")
    case .notFound: (.notFound, "Not found")
    case .methodNotAllowed: (.methodNotAllowed, "Method not allowed")
    case .tooLarge: (.contentTooLarge, "Payload too large")
    case .unsupportedMediaType: (.unsupportedMediaType, "Unsupported media type")
    }
  }

  /// One sentence.
  package var message: String {
    switch self {
    case .invalid(_, let message), .named(_, let message): message
    case .unauthorized(let message), .forbidden(let message), .notFound(let message): message
    case .methodNotAllowed(let allowed): "This path allows only \(allowed)."
    case .tooLarge(let limit): "The body must be at most \(limit) bytes."
    case .unsupportedMediaType(let found, let expected):
      found.map { "The body must be \(expected), not \($0)." } ?? "The body must be \(expected)."
    }
  }
}

/// A request that the limiter rejected.
package struct Refusal: Error {
  var limit: ReferenceLimit
  var rule: LimitRule
  var decision: LimitDecision
  var caller: Caller
  /// The seconds that the client is told to wait, as a whole number.
  package var retryAfter: Int

  /// Whole seconds after which a request will be admitted; never 0, because that would mean now.
  init(limit: ReferenceLimit, rule: LimitRule, decision: LimitDecision, caller: Caller) {
    self.limit = limit
    self.rule = rule
    self.decision = decision
    self.caller = caller
    retryAfter = max(1, Int((Double(decision.wait) / 1e9).rounded(.up)))
  }

  /// `Too many votes. Please try again in 7 seconds.`
  package var message: String {
    "Too many \(limit.noun). Please try again in \(retryAfter) second\(retryAfter == 1 ? "" : "s")."
  }
}

extension ReferenceSystem {
  /// The response to an invalid request.
  func answer(to error: APIError) -> Answer {
    var answer = Answer.json(error.status) { write(error, &$0) }
    switch error {
    case .methodNotAllowed(let allowed): answer.headers[.allow] = allowed
    case .unauthorized: answer.headers[.wwwAuthenticate] = "Bearer"
    default: break
    }
    return answer
  }

  /// The response to a request that the limiter rejected, without the headers that report the limit.
  func answer(to refusal: Refusal) -> Answer {
    var answer = Answer.json(.tooManyRequests) { write(refusal, &$0) }
    answer.headers[.retryAfter] = "\(refusal.retryAfter)"
    return answer
  }
}
