import Hummingbird

/// The paths of an API: an endpoint for each documented method, 405 for each other one, 404 elsewhere.
enum Routes {
  static func responder(_ service: Service) -> some HTTPResponder<ServerContext> {
    let router = Router(context: ServerContext.self)
    router.add(middleware: ErrorAnswers(service: service))
    for route in service.system.routes(service.hooks) {
      var known: [(HTTPRequest.Method, any HTTPResponder<ServerContext>)] = []
      for (method, endpoint) in route.endpoints { known.append((method, responder(endpoint, service))) }
      if let get = known.first(where: { $0.0 == .get }) { known.append((.head, HeadResponder(wrapped: get.1))) }
      let unknown = UnknownMethod(
        allowed: known.map(\.0.rawValue).joined(separator: ", "), requestHeaders: service.system.requestHeaders)
      for method in methods {
        let responder = known.first { $0.0 == method }?.1 ?? unknown
        router.on(route.path, method: method, responder: AnyResponder(wrapped: responder))
      }
    }
    return StrangeMethods(router: router.buildResponder(), known: methods)
  }

  private static func responder(
    _ endpoint: any Endpoint, _ service: Service
  ) -> any HTTPResponder<ServerContext> {
    open(endpoint, service)
  }

  private static func open(_ endpoint: some Endpoint, _ service: Service) -> any HTTPResponder<ServerContext> {
    EndpointResponder(endpoint: endpoint, service: service)
  }

  private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]
}

/// A method that the router has never heard of, as `QUERY`, is none that a path has: 405 where there is the path.
private struct StrangeMethods: HTTPResponder {
  let router: RouterResponder<ServerContext>
  let known: [HTTPRequest.Method]

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    guard !known.contains(request.method) else { return try await router.respond(to: request, context: context) }
    var head = request.head
    head.method = .trace
    return try await router.respond(to: Request(head: head, body: request.body), context: context)
  }
}

/// Hides the endpoint's type, so that the routes of one path fit into one list.
private struct AnyResponder: HTTPResponder {
  let wrapped: any HTTPResponder<ServerContext>

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    try await wrapped.respond(to: request, context: context)
  }
}

/// Answers `HEAD` as `GET` would be answered, without the body (RFC 9110, section 9.3.2).
private struct HeadResponder: HTTPResponder {
  let wrapped: any HTTPResponder<ServerContext>

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    try await wrapped.respond(to: request, context: context).createHeadResponse()
  }
}

/// Answers the methods that a path does not have; `OPTIONS` with what a browser asks before a request of another origin.
private struct UnknownMethod: HTTPResponder {
  let allowed: String
  let requestHeaders: String

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    guard request.method == .options else { throw APIError.methodNotAllowed(allowed) }
    return Response(
      status: .noContent,
      headers: [
        .allow: allowed, .accessControlAllowOrigin: "*", .accessControlAllowMethods: allowed,
        .accessControlAllowHeaders: requestHeaders, .accessControlMaxAge: "86400",
      ])
  }
}

/// Turns what no endpoint has answered into the API's own error bodies.
private struct ErrorAnswers: RouterMiddleware {
  typealias Context = ServerContext
  let service: Service

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as APIError {
      return try await stamped(error)
    } catch let error as HTTPError where error.status == .notFound {
      return try await stamped(.notFound("There is no \(request.uri.path.prefix(200)) here."))
    }
  }

  private func stamped(_ error: APIError) async throws -> Response {
    var answer = try await service.hooks.error(service.system.errors.mistake(error), of: nil) { $0 }
    service.stamp.apply(to: &answer)
    return answer.response
  }
}
