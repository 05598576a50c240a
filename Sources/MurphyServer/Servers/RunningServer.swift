import NIOPosix

/// A reference server that answers until it is stopped.
public final class RunningServer: Sendable {
  public let host: String
  /// The port it listens on: a free one if 0 was asked for.
  public let port: Int
  private let task: Task<Void, any Error>
  /// Kept for as long as the task that runs on it.
  private let executor: LoopExecutor?
  private let connections: Connections
  private let group: MultiThreadedEventLoopGroup
  private let store: Store

  init(
    host: String, port: Int, task: Task<Void, any Error>, executor: LoopExecutor?, connections: Connections,
    group: MultiThreadedEventLoopGroup, store: Store
  ) {
    self.host = host
    self.port = port
    self.task = task
    self.executor = executor
    self.connections = connections
    self.group = group
    self.store = store
  }

  /// `http://127.0.0.1:8080`
  public var url: String { host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)" }

  /// Closes the port, all connections and the database; requests that are being answered are cut off.
  public func stop() async {
    task.cancel()
    connections.closeAll()
    _ = await task.result
    try? await group.shutdownGracefully()
    store.close()
  }
}
