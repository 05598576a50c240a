import Hummingbird

/// Answers `HEAD` as `GET` would be answered, without the body (RFC 9110, section 9.3.2).
struct HeadResponder: HTTPResponder {
  let wrapped: any HTTPResponder<ServerContext>

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    try await wrapped.respond(to: request, context: context).createHeadResponse()
  }
}
