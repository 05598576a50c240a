import Hummingbird

/// A request's own mistake, answered as the contract documents it.
enum APIError: Error, Equatable {
  /// 400; the field is nil when the body as a whole is at fault.
  case invalid(_ field: String?, _ message: String)
  /// 404
  case notFound(_ message: String)
  /// 405, with the methods that the path has.
  case methodNotAllowed(_ allowed: String)
  /// 413
  case tooLarge(limit: Int)
  /// 415, with the media type that was found.
  case unsupportedMediaType(_ found: String?)

  func answer() -> Answer {
    var answer = Answer.json(status) { json in
      json.object { json in
        json.name("error")
        json.string(title)
        json.name("message")
        json.string(message)
        if case .invalid(let field, _) = self {
          json.name("field")
          json.string(field)
        }
      }
    }
    if case .methodNotAllowed(let allowed) = self { answer.headers[.allow] = allowed }
    return answer
  }

  private var status: HTTPResponse.Status {
    switch self {
    case .invalid: .badRequest
    case .notFound: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .tooLarge: .contentTooLarge
    case .unsupportedMediaType: .unsupportedMediaType
    }
  }

  private var title: String {
    switch self {
    case .invalid: "Invalid request"
    case .notFound: "Not found"
    case .methodNotAllowed: "Method not allowed"
    case .tooLarge: "Payload too large"
    case .unsupportedMediaType: "Unsupported media type"
    }
  }

  private var message: String {
    switch self {
    case .invalid(_, let message), .notFound(let message): message
    case .methodNotAllowed(let allowed): "This path knows \(allowed) only."
    case .tooLarge(let limit): "The body must be at most \(limit) bytes."
    case .unsupportedMediaType(let found):
      found.map { "The body must be application/json, not \($0)." } ?? "The body must be application/json."
    }
  }
}
