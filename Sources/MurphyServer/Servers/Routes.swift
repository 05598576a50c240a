import Hummingbird

/// The paths of an API: an endpoint for each documented method, 405 for other methods, 404 for other paths.
enum Routes {
  private typealias Respond = @Sendable (Request, ServerContext) async throws -> Response

  private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]

  static func responder(_ service: Service) -> some HTTPResponder<ServerContext> {
    let router = Router(context: ServerContext.self)
    router.add(middleware: ErrorAnswers(service: service))
    let endpoints = service.system.endpoints(service.hooks)
    for (path, endpoints) in Dictionary(grouping: endpoints, by: \.operation.path) {
      var known: [(method: HTTPRequest.Method, respond: Respond)] = endpoints.map { endpoint in
        (endpoint.operation.method, { try await service.respond(to: $0, $1, endpoint) })
      }
      if let get = known.first(where: { $0.method == .get })?.respond {
        // Responses `HEAD` like `GET`, without the body (RFC 9110, section 9.3.2).
        known.append((.head, { try await get($0, $1).createHeadResponse() }))
      }
      let unknown = unknownMethod(
        allowed: known.map(\.method.rawValue).joined(separator: ", "), requestHeaders: service.system.requestHeaders)
      for method in methods {
        let respond = known.first { $0.method == method }?.respond ?? unknown
        router.on(RouterPath(path), method: method, responder: CallbackResponder(callback: respond))
      }
    }
    let routed = router.buildResponder()
    // A method that the router does not define, such as `QUERY`, is not a method of any path: 405 if the path exists.
    return CallbackResponder<ServerContext> { request, context in
      guard !methods.contains(request.method) else { return try await routed.respond(to: request, context: context) }
      var head = request.head
      head.method = .trace
      return try await routed.respond(to: Request(head: head, body: request.body), context: context)
    }
  }

  /// Responses the methods that a path does not have. `OPTIONS` gets the response to a preflight request of a browser.
  private static func unknownMethod(allowed: String, requestHeaders: String) -> Respond {
    { request, _ in
      guard request.method == .options else { throw APIError.methodNotAllowed(allowed) }
      return Response(
        status: .noContent,
        headers: [
          .allow: allowed, .accessControlAllowOrigin: "*", .accessControlAllowMethods: allowed,
          .accessControlAllowHeaders: requestHeaders, .accessControlMaxAge: "86400",
        ])
    }
  }
}

/// Converts errors outside the endpoints into the API's own error bodies.
private struct ErrorAnswers: RouterMiddleware {
  typealias Context = ServerContext
  let service: Service

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as APIError {
      return try await service.response(to: error)
    } catch let error as HTTPError where error.status == .notFound {
      return try await service.response(to: .notFound("There is no \(request.uri.path.prefix(200)) here."))
    }
  }
}
