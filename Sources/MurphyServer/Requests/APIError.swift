import Hummingbird

/// A request's own mistake; how it is worded is up to the API.
enum APIError: Error, Equatable {
  /// 400; the field is nil when the body as a whole is at fault.
  case invalid(_ field: String?, _ message: String)
  /// 401
  case unauthorized(_ message: String)
  /// 404
  case notFound(_ message: String)
  /// 405, with the methods that the path has.
  case methodNotAllowed(_ allowed: String)
  /// 413
  case tooLarge(limit: Int)
  /// 415, with the media type that was found.
  case unsupportedMediaType(_ found: String?)
  /// 400 for a reason that the API has a name for.
  case named(_ code: String, _ message: String)

  var status: HTTPResponse.Status { kind.status }

  /// The kind of mistake in words.
  var title: String { kind.title }

  private var kind: (status: HTTPResponse.Status, title: String) {
    switch self {
    case .invalid, .named: (.badRequest, "Invalid request")
    case .unauthorized: (.unauthorized, "Unauthorized")
    case .notFound: (.notFound, "Not found")
    case .methodNotAllowed: (.methodNotAllowed, "Method not allowed")
    case .tooLarge: (.contentTooLarge, "Payload too large")
    case .unsupportedMediaType: (.unsupportedMediaType, "Unsupported media type")
    }
  }

  /// One sentence.
  var message: String {
    switch self {
    case .invalid(_, let message), .notFound(let message), .unauthorized(let message), .named(_, let message): message
    case .methodNotAllowed(let allowed): "This path knows \(allowed) only."
    case .tooLarge(let limit): "The body must be at most \(limit) bytes."
    case .unsupportedMediaType(let found):
      found.map { "The body must be application/json, not \($0)." } ?? "The body must be application/json."
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

extension ReferenceSystem {
  /// The answer to a request with a mistake of its own.
  func answer(to error: APIError) -> Answer {
    var answer = Answer.json(error.status) { write(error, &$0) }
    switch error {
    case .methodNotAllowed(let allowed): answer.headers[.allow] = allowed
    case .unauthorized: answer.headers[.wwwAuthenticate] = "Bearer"
    default: break
    }
    return answer
  }

  /// The answer to a request that the limiter refused, without the fields that tell of the limit.
  func answer(to refusal: Refusal) -> Answer {
    var answer = Answer.json(.tooManyRequests) { write(refusal, &$0) }
    answer.headers[.retryAfter] = "\(refusal.retryAfter)"
    return answer
  }
}
