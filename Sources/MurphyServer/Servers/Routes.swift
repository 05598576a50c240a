import Hummingbird

/// The paths of the API: an endpoint for each documented method, 405 for each other one, 404 elsewhere.
enum Routes {
  static func responder(_ service: Service) -> RouterResponder<ServerContext> {
    let router = Router(context: ServerContext.self)
    router.add(middleware: ErrorAnswers(service: service))
    let (store, faults) = (service.store, service.faults)
    let ballots = Ballots(store: store, faults: faults)
    func add(_ path: RouterPath, _ endpoints: [(HTTPRequest.Method, any HTTPResponder<ServerContext>)]) {
      let head = endpoints.filter { $0.0 == .get }.map { (HTTPRequest.Method.head, HeadResponder(wrapped: $0.1)) }
      let endpoints = endpoints + head
      let allowed = endpoints.map(\.0.rawValue).joined(separator: ", ")
      for method in methods {
        if let endpoint = endpoints.first(where: { $0.0 == method })?.1 {
          router.on(path, method: method, responder: AnyResponder(wrapped: endpoint))
        } else {
          router.on(path, method: method, responder: UnknownMethod(allowed: allowed))
        }
      }
    }
    add(
      "/api/v1/laws",
      [
        (.get, endpoint(ListLaws(store: store, faults: faults))),
        (.post, endpoint(SubmitLaw(store: store, faults: faults))),
      ])
    add("/api/v1/laws/:id", [(.get, endpoint(GetLaw(store: store, faults: faults)))])
    add(
      "/api/v1/laws/:id/vote",
      [
        (.post, endpoint(VoteLaw(store: store, ballots: ballots, faults: faults))),
        (.delete, endpoint(RemoveVote(store: store, ballots: ballots))),
      ])
    add("/api/v1/law-of-day", [(.get, endpoint(GetLawOfTheDay(store: store, faults: faults)))])
    add("/api/v1/categories", [(.get, endpoint(ListCategories(store: store, faults: faults)))])
    add("/api/v1/attributions", [(.get, endpoint(ListAttributions(store: store, faults: faults)))])
    add("/api/v1/share-calculation", [(.post, endpoint(ShareCalculation(store: store)))])
    func endpoint(_ endpoint: some Endpoint) -> any HTTPResponder<ServerContext> {
      EndpointResponder(endpoint: endpoint, service: service)
    }
    return router.buildResponder()
  }

  private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]
}

/// Hides the endpoint's type, so that the routes of one path fit into one list.
private struct AnyResponder: HTTPResponder {
  let wrapped: any HTTPResponder<ServerContext>

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    try await wrapped.respond(to: request, context: context)
  }
}
