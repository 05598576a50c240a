import Hummingbird

/// Turns what no endpoint has answered into the API's own error bodies.
struct ErrorAnswers: RouterMiddleware {
  typealias Context = ServerContext
  let service: Service

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as APIError {
      return stamped(error)
    } catch let error as HTTPError where error.status == .notFound {
      return stamped(.notFound("There is no \(request.uri.path.prefix(200)) here."))
    }
  }

  private func stamped(_ error: APIError) -> Response {
    var answer = error.answer(isBare: service.faults.has(.bareError))
    service.stamp.apply(to: &answer)
    return answer.response
  }
}
