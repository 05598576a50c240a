import Hummingbird

/// Answers the methods that a path does not have; `OPTIONS` with what a browser asks before a request of another origin.
struct UnknownMethod: HTTPResponder {
  let allowed: String

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    guard request.method == .options else { throw APIError.methodNotAllowed(allowed) }
    return Response(
      status: .noContent,
      headers: [
        .allow: allowed, .accessControlAllowOrigin: "*", .accessControlAllowMethods: allowed,
        .accessControlAllowHeaders: "Content-Type, X-Device-ID", .accessControlMaxAge: "86400",
      ])
  }
}
