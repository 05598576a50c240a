import Hummingbird

/// A request's own mistake; what is answered is up to the API's `ErrorFormat`.
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

  var status: HTTPResponse.Status {
    switch self {
    case .invalid, .named: .badRequest
    case .unauthorized: .unauthorized
    case .notFound: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .tooLarge: .contentTooLarge
    case .unsupportedMediaType: .unsupportedMediaType
    }
  }

  /// The kind of mistake in words.
  var title: String {
    switch self {
    case .invalid, .named: "Invalid request"
    case .unauthorized: "Unauthorized"
    case .notFound: "Not found"
    case .methodNotAllowed: "Method not allowed"
    case .tooLarge: "Payload too large"
    case .unsupportedMediaType: "Unsupported media type"
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
