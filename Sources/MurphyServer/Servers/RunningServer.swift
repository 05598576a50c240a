import NIOCore
import NIOPosix

/// A reference server that answers until it is stopped.
public final class RunningServer: Sendable {
  public let host: String
  /// The port it listens on: a free one if 0 was asked for.
  public let port: Int
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
  public var url: String { host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)" }

  /// Closes the port, all connections and the database; requests that are being answered are cut off.
  ///
  /// The port is closed before the task is cancelled: a connection that was accepted and not yet begun when its task is
  /// cancelled ends the process (NIO's `NIOAsyncWriter` must be finished).
  public func stop() async {
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
