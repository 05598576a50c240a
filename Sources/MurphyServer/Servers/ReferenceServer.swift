import Hummingbird
import Logging
import NIOCore
import NIOPosix

/// The reference APIs: small real servers on a real SQLite database, which misbehave when they are told to.
package enum ReferenceServer {
  /// The systems that there are, as in `murphy serve SYSTEM` and `embedded:SYSTEM`.
  package static let systems = ["murphys-laws"]

  /// Starts a system and returns once it accepts connections.
  /// - Throws: `ServerError` for an unknown system, a port in use, an address that is not this machine's, a database
  ///   that cannot be opened.
  package static func start(system: String, options: ReferenceOptions = ReferenceOptions()) async throws
    -> RunningServer
  {
    guard systems.contains(system) else { throw ServerError(unknown: "system", system, among: systems) }
    let store = try Store(file: options.database, seed: options.seed, readers: options.threads)
    var hooks = FaultInstaller.hooks(options.faults, store: store, seed: options.seed)
    if let work = options.work { hooks.add(WorkQueue(workers: options.workers, work: work)) }
    let service = try await Service(store: store, limits: options.limits, hooks: hooks, seed: options.seed)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: options.threads)
    let connections = Connections()
    let (started, signal) = AsyncThrowingStream.makeStream(of: (any Channel).self)
    let application = Application(
      responder: Routes.responder(service),
      server: .http1(configuration: .init(additionalChannelHandlers: [connections.makeHandler()])),
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port), serverName: system, backlog: 4096),
      onServerRunning: { signal.yield($0) },
      eventLoopGroupProvider: .shared(group), logger: quiet)
    let executor = options.threads == 1 ? LoopExecutor(group.next()) : nil
    let task = Task(executorPreference: executor) {
      do {
        try await application.run()
        signal.finish()
      } catch {
        signal.finish(throwing: error)
        throw error
      }
    }
    do {
      for try await listener in started {
        return RunningServer(
          host: options.host, port: listener.localAddress?.port ?? options.port, listener: listener, task: task,
          executor: executor, connections: connections, group: group, store: store)
      }
      throw ServerError("the server \(system) ended before it had begun")
    } catch {
      task.cancel()
      _ = await task.result
      try? await group.shutdownGracefully()
      store.close()
      throw explain(error, options)
    }
  }

  private static var quiet: Logger {
    var logger = Logger(label: "murphy.server")
    logger.logLevel = .critical
    return logger
  }

  private static func explain(_ error: any Error, _ options: ReferenceOptions) -> any Error {
    let place = "\(options.host):\(options.port)"
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      return ServerError("cannot listen on \(place): the port is in use. Choose another, or 0 for any free one.")
    case EACCES:
      return ServerError("cannot listen on \(place): ports below 1024 need privileges. Choose a higher one.")
    case EADDRNOTAVAIL:
      return ServerError("cannot listen on \(place): this machine has no such address.")
    case nil where error is SocketAddressError:
      return ServerError("cannot listen on \(place): there is no such host.")
    default: return error is ServerError ? error : ServerError("cannot listen on \(place): \(error)")
    }
  }
}

/// The paths of the API: an endpoint for each documented method, 405 for each other one, 404 elsewhere.
enum Routes {
  static func responder(_ service: Service) -> RouterResponder<ServerContext> {
    let router = Router(context: ServerContext.self)
    router.add(middleware: ErrorAnswers(service: service))
    let (store, hooks) = (service.store, service.hooks)
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
        (.get, endpoint(ListLaws(store: store, hooks: hooks))),
        (.post, endpoint(SubmitLaw(store: store, hooks: hooks))),
      ])
    add("/api/v1/laws/:id", [(.get, endpoint(GetLaw(store: store, hooks: hooks)))])
    add(
      "/api/v1/laws/:id/vote",
      [
        (.post, endpoint(VoteLaw(store: store, hooks: hooks))),
        (.delete, endpoint(RemoveVote(store: store, hooks: hooks))),
      ])
    add("/api/v1/law-of-day", [(.get, endpoint(GetLawOfTheDay(store: store, hooks: hooks)))])
    add("/api/v1/categories", [(.get, endpoint(ListCategories(store: store)))])
    add("/api/v1/attributions", [(.get, endpoint(ListAttributions(store: store)))])
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

/// Answers `HEAD` as `GET` would be answered, without the body (RFC 9110, section 9.3.2).
struct HeadResponder: HTTPResponder {
  let wrapped: any HTTPResponder<ServerContext>

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    try await wrapped.respond(to: request, context: context).createHeadResponse()
  }
}

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
      return try await stamped(error)
    } catch let error as HTTPError where error.status == .notFound {
      return try await stamped(.notFound("There is no \(request.uri.path.prefix(200)) here."))
    }
  }

  private func stamped(_ error: APIError) async throws -> Response {
    var answer = try await service.hooks.error(error.answer(), of: nil) { $0 }
    service.stamp.apply(to: &answer)
    return answer.response
  }
}

/// A reference server that answers until it is stopped.
package final class RunningServer: Sendable {
  package let host: String
  /// The port it listens on: a free one if 0 was asked for.
  package let port: Int
  private let task: Task<Void, any Error>
  /// Kept for as long as the task that runs on it.
  private let executor: LoopExecutor?
  private let listener: any Channel
  private let connections: Connections
  private let group: MultiThreadedEventLoopGroup
  private let store: Store

  init(
    host: String, port: Int, listener: any Channel, task: Task<Void, any Error>, executor: LoopExecutor?,
    connections: Connections, group: MultiThreadedEventLoopGroup, store: Store
  ) {
    self.host = host
    self.port = port
    self.listener = listener
    self.task = task
    self.executor = executor
    self.connections = connections
    self.group = group
    self.store = store
  }

  /// Turns of its task that accepted connections get to begin and end by themselves. Turns and not seconds: on a busy
  /// machine those pass without one.
  private static let patience = 200

  /// `http://127.0.0.1:8080`
  package var url: String { host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)" }

  /// Closes the port, all connections and the database; requests that are being answered are cut off.
  ///
  /// The port is closed before the task is cancelled: a connection that was accepted and not yet begun when its task is
  /// cancelled ends the process (NIO's `NIOAsyncWriter` must be finished).
  package func stop() async {
    try? await listener.close()
    let closing = Task(executorPreference: executor) { [connections, task] in
      var turns = 0
      while !Task.isCancelled {
        connections.closeAll()
        try? await Task.sleep(for: .milliseconds(10))
        turns += 1
        if turns == Self.patience { task.cancel() }
      }
    }
    _ = await task.result
    closing.cancel()
    try? await group.shutdownGracefully()
    store.close()
  }
}
