import Foundation
import Hummingbird
import Logging
import MurphyEngine
import MurphyModel
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Serves a running test, only on the loopback: a live page, and OpenMetrics text for a Prometheus.
///
///     /          the page; `/events` updates it (server-sent events, WHATWG HTML §9.2)
///     /metrics   OpenMetrics 1.0
///
/// It responds on its own thread, so no loop that generates load waits for it. It still uses the same processors.
package final class LiveServer: Sendable {
  /// The URL of the page.
  package let url: String
  private let feed: LiveFeed
  private let services: ServiceGroup
  private let task: Task<Void, any Error>
  private let group: MultiThreadedEventLoopGroup

  private init(
    port: Int, feed: LiveFeed, services: ServiceGroup, task: Task<Void, any Error>, group: MultiThreadedEventLoopGroup
  ) {
    url = "http://127.0.0.1:\(port)/"
    self.feed = feed
    self.services = services
    self.task = task
    self.group = group
  }

  /// The maximum time for open connections to end.
  private static let patience: Duration = .seconds(2)

  /// Starts the server and returns once it accepts connections.
  ///
  /// - Parameters:
  ///   - port: 0 for any free one.
  ///   - run: the known data of the run before it begins.
  /// - Throws: `LiveError` if the port is not available.
  package static func start(port: Int, run: RunInfo) async throws(LiveError) -> LiveServer {
    let feed = LiveFeed(run)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let (started, signal) = AsyncThrowingStream.makeStream(of: Int.self)
    var logger = Logger(label: "murphy.live")
    logger.logLevel = .critical
    let application = Application(
      responder: LiveRoutes.responder(feed),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: "murphy"),
      onServerRunning: { channel in
        signal.yield(channel.localAddress?.port ?? port)
        signal.finish()
      }, eventLoopGroupProvider: .shared(group), logger: logger)
    let services = ServiceGroup(configuration: .init(services: [application], logger: logger))
    let task = Task {
      do {
        try await services.run()
        signal.finish()
      } catch {
        signal.finish(throwing: error)
        throw error
      }
    }
    do {
      for try await bound in started {
        return LiveServer(port: bound, feed: feed, services: services, task: task, group: group)
      }
      throw LiveError(port, "the server stopped before it started")
    } catch {
      task.cancel()
      _ = await task.result
      try? await group.shutdownGracefully()
      throw error as? LiveError ?? LiveError(port, Self.reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE: "the port is in use; choose another, or none for any free one"
    case EACCES: "ports below 1024 need privileges; choose a higher one"
    default: "\(error)"
    }
  }

  /// Stores the latest snapshot of the engine; from any thread.
  package func show(_ snapshot: Snapshot) {
    Task { await feed.update(snapshot) }
  }

  /// Sends the finished report to every watcher, and ends the server.
  ///
  /// The port is closed before the task is cancelled. A connection that was accepted but has not begun when its task is
  /// cancelled ends the process (NIO's `NIOAsyncWriter` must be finished).
  ///
  /// - Parameter report: the whole document; nil if there is none.
  package func finish(report: String?) async {
    if let report { await feed.finish(report: report) } else { await feed.close() }
    // A browser takes some time to read a report; a watcher that does not read it delays nothing.
    for _ in 0..<20 {
      guard await feed.isWatched else { break }
      try? await Task.sleep(for: .milliseconds(100))
    }
    await services.triggerGracefulShutdown()
    let cut = Task { [task] in
      try? await Task.sleep(for: Self.patience)
      task.cancel()
    }
    _ = await task.result
    cut.cancel()
    try? await group.shutdownGracefully()
  }
}

/// The reason why a running test cannot be shown.
package struct LiveError: Error, CustomStringConvertible, Sendable {
  package let description: String

  init(_ port: Int, _ reason: String) { description = "cannot show the run on 127.0.0.1:\(port): \(reason)." }
}
