import HTTPTypes
import Hummingbird
import Synchronization

/// A whole response, before it is converted for Hummingbird. The hooks can change every part of it.
package struct ServerResponse: Sendable {
  package var status: HTTPResponse.Status
  package var headers: HTTPFields
  /// The whole body, unless the response is a stream.
  package var body: ByteBuffer
  /// Writes a body of unknown length without its end, instead of `body`.
  var stream: (@Sendable (inout any ResponseBodyWriter) async throws -> Void)?

  /// An object whose fields `members` writes.
  package static func json(_ status: HTTPResponse.Status, capacity: Int = 512, _ members: (inout JSONWriter) -> Void)
    -> ServerResponse
  {
    var json = JSONWriter(capacity: capacity)
    json.object(members)
    return ServerResponse(status: status, headers: jsonHeaders, body: json.buffer)
  }

  private static let jsonHeaders: HTTPFields = [.contentType: "application/json", .accessControlAllowOrigin: "*"]

  /// A success without a body.
  package static let noContent = ServerResponse(
    status: .noContent, headers: [.accessControlAllowOrigin: "*"], body: ByteBuffer())

  /// A stream of events (HTML Living Standard, section 9.2.5) that lasts until the client leaves or `life` is over.
  ///
  /// - Parameters:
  ///   - life: nanoseconds. Clients expect the end and continue with a new request.
  ///   - next: the events since the last call, as text. Without events, a comment is sent. It shows whether the client
  ///     is still connected.
  package static func events(life: Int64, next: @escaping @Sendable () async throws -> String) -> ServerResponse {
    var response = ServerResponse(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .accessControlAllowOrigin: "*"],
      body: ByteBuffer())
    response.stream = { writer in
      let end = MonotonicClock.now() + life
      repeat {
        let events = try await next()
        try await writer.write(ByteBuffer(string: events.isEmpty ? ":\n\n" : events))
        try await Task.sleep(for: .milliseconds(50))
      } while MonotonicClock.now() < end
    }
    return response
  }

  /// A page that only shows its title.
  package static func html(_ status: HTTPResponse.Status, title: String) -> ServerResponse {
    let page = "<!DOCTYPE html>\n<html><head><title>\(title)</title></head><body><h1>\(title)</h1></body></html>\n"
    return ServerResponse(
      status: status, headers: [.contentType: "text/html; charset=utf-8", .accessControlAllowOrigin: "*"],
      body: ByteBuffer(string: page))
  }

  /// A failure of the server itself, which the contract does not document.
  package static func internalError(_ message: String) -> ServerResponse {
    json(.internalServerError) { json in
      json.member("error", "Internal error")
      json.member("message", message)
    }
  }

  /// The bytes of the body; nil for a stream.
  var length: Int? { stream == nil ? body.readableBytes : nil }

  /// Writes the body or the stream, without its end.
  func write(to writer: inout any ResponseBodyWriter) async throws {
    if let stream { try await stream(&writer) } else { try await writer.write(body) }
  }

  var httpResponse: Response {
    guard stream != nil else {
      return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }
    let body = ResponseBody(contentLength: nil) { writer in
      try await write(to: &writer)
      try await writer.finish(nil)
    }
    return Response(status: status, headers: headers, body: body)
  }
}

/// Gives each response its `X-Request-ID`: a UUID of version 4 whose bits are generated from a counter.
final class RequestStamp: Sendable {
  static let name = HTTPField.Name("X-Request-ID")!

  private let seed: UInt64
  private let count = Atomic<UInt64>(0)

  init(seed: UInt64) { self.seed = seed }

  func apply(to response: inout ServerResponse) {
    var numbers = SeededNumbers(seed: seed &+ count.wrappingAdd(1, ordering: .relaxed).newValue &* 0x1_0001)
    response.headers[Self.name] = numbers.uuid()
  }
}

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
  var rule: LimiterRule
  var decision: LimiterDecision
  var caller: Caller
  /// The seconds that the client is told to wait, as a whole number.
  package var retryAfter: Int

  /// Whole seconds after which a request will be admitted; never 0, because that would mean now.
  init(limit: ReferenceLimit, rule: LimiterRule, decision: LimiterDecision, caller: Caller) {
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
  func response(to error: APIError) -> ServerResponse {
    var response = ServerResponse.json(error.status) { write(error, &$0) }
    switch error {
    case .methodNotAllowed(let allowed): response.headers[.allow] = allowed
    case .unauthorized: response.headers[.wwwAuthenticate] = "Bearer"
    default: break
    }
    return response
  }

  /// The response to a request that the limiter rejected, without the headers that report the limit.
  func response(to refusal: Refusal) -> ServerResponse {
    var response = ServerResponse.json(.tooManyRequests) { write(refusal, &$0) }
    response.headers[.retryAfter] = "\(refusal.retryAfter)"
    return response
  }
}
