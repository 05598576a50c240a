import GRDB
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Listens for a reference API.
enum ReferenceServer {
  /// Starts to serve and returns once connections are accepted.
  static func start(_ name: String, _ service: Service, _ options: ReferenceOptions) async throws -> RunningServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: options.threads)
    let connections = Connections()
    let (started, signal) = AsyncThrowingStream.makeStream(of: (any Channel).self)
    let application = Application(
      responder: Routes.responder(service),
      server: .http1(configuration: .init(additionalChannelHandlers: [connections.makeHandler()])),
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port), serverName: name, backlog: 4096),
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
          host: options.host, port: listener.localAddress?.port ?? options.port, task: task, executor: executor,
          listener: listener, connections: connections, group: group, database: service.system.database,
          exporter: service.exporter)
      }
      throw ServerError("the server \(name) stopped before it accepted connections")
    } catch {
      task.cancel()
      _ = await task.result
      try? await group.shutdownGracefully()
      try? service.system.database.close()
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
      return ServerError("cannot listen on \(place): the port is in use. Choose another port, or 0 for any free port.")
    case EACCES:
      return ServerError(
        "cannot listen on \(place): ports below 1024 require special permissions. Choose a higher port.")
    case EADDRNOTAVAIL:
      return ServerError("cannot listen on \(place): this machine does not have this address.")
    case nil where error is SocketAddressError:
      return ServerError("cannot listen on \(place): the host does not exist.")
    default: return error is ServerError ? error : ServerError("cannot listen on \(place): \(error)")
    }
  }
}

/// A reference server that runs until it is stopped.
package struct RunningServer: Sendable {
  package let host: String
  /// Its port: a free one if 0 was requested.
  package let port: Int
  fileprivate let task: Task<Void, any Error>
  /// Kept until its task ends.
  fileprivate let executor: LoopExecutor?
  fileprivate let listener: any Channel
  fileprivate let connections: Connections
  fileprivate let group: MultiThreadedEventLoopGroup
  fileprivate let database: any DatabaseWriter
  fileprivate let exporter: SpanExporter?

  /// The number of turns of its task in which accepted connections may begin and end. It counts turns, not seconds: on
  /// a busy machine, seconds can pass without one.
  private static let patience = 200

  /// `http://127.0.0.1:8080`
  package var url: String { host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)" }

  /// Closes the port, all connections and the database; requests in progress are cut off.
  ///
  /// The port is closed before the task is cancelled: see `stopAccepting`.
  package func stop() async {
    await listener.stopAccepting(group)
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
    try? database.close()
    await exporter?.stop()
  }
}

extension Channel {
  /// Ends the acceptance of connections by a listener, and waits until the task of the server has each accepted connection.
  ///
  /// A server that ends before loses such a connection, and NIO then ends the process: each `NIOAsyncWriter` must be
  /// finished (https://github.com/apple/swift-nio/issues/2637).
  ///
  /// - Parameter group: the event loops of the accepted connections.
  package func stopAccepting(_ group: any EventLoopGroup) async {
    try? await setOption(.autoRead, value: false).get()
    // From the listener's loop to the connection's loop, back, and to the task.
    for _ in 0..<3 {
      for loop in group.makeIterator() { try? await loop.submit {}.get() }
      try? await eventLoop.submit {}.get()
    }
  }
}

/// The open connections of one server. Stopping it does not wait for its clients.
final class Connections: Sendable {
  private let open = Mutex<[ObjectIdentifier: any Channel]>([:])

  /// A handler for one new connection.
  func makeHandler() -> any RemovableChannelHandler { Handler(connections: self) }

  func closeAll() {
    for channel in open.withLock({ Array($0.values) }) { channel.close(promise: nil) }
  }

  private func add(_ channel: any Channel) { open.withLock { $0[ObjectIdentifier(channel)] = channel } }

  private func remove(_ channel: any Channel) { open.withLock { $0[ObjectIdentifier(channel)] = nil } }

  private final class Handler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let connections: Connections

    init(connections: Connections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) { connections.add(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) { connections.remove(context.channel) }
  }
}

/// Runs tasks on the thread of one event loop. So a request never changes threads between its socket and its response.
/// With one loop this is twice as fast as the global pool. It leaves the other cores to the load generator.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// The context that Hummingbird passes to a responder of this server: the connection, for the peer's address and the
/// hooks.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

/// The paths of an API: an endpoint for each documented method, 405 for other methods, 404 for other paths.
enum Routes {
  private typealias Respond = @Sendable (Request, ServerContext) async throws -> Response

  private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]

  static func responder(_ service: Service) -> some HTTPResponder<ServerContext> {
    let router = Router(context: ServerContext.self)
    router.add(middleware: ErrorResponses(service: service))
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
      var head = request.head
      let isEscaped = head.normalizePath()
      let isDefined = methods.contains(request.method)
      guard isEscaped || !isDefined else { return try await routed.respond(to: request, context: context) }
      if !isDefined { head.method = .trace }
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
private struct ErrorResponses: RouterMiddleware {
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
      return try await service.response(to: .notFound("The path \(request.uri.path.prefix(200)) does not exist."))
    }
  }
}
