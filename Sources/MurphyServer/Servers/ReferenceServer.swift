import Hummingbird
import Logging
import NIOCore
import NIOPosix

/// The reference APIs: small real servers on a real SQLite database, which misbehave when they are told to.
public enum ReferenceServer {
  /// The systems that there are, as in `murphy serve SYSTEM` and `embedded:SYSTEM`.
  public static let systems = ["murphys-laws"]

  /// Starts a system and returns once it accepts connections.
  /// - Throws: `ServerError` for an unknown system, a port in use, an address that is not this machine's, a database
  ///   that cannot be opened.
  public static func start(system: String, options: ReferenceOptions = ReferenceOptions()) async throws -> RunningServer
  {
    guard systems.contains(system) else { throw ServerError(unknown: "system", system, among: systems) }
    let store = try Store(file: options.database, seed: options.seed, readers: options.threads)
    let service = Service(
      store: store, limits: options.limits, faults: FaultPlan(options.faults, seed: options.seed), seed: options.seed)
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
