import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MurphyEngine
import MurphyModel
import MurphyServer
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
  private let listener: any Channel
  private let task: Task<Void, any Error>
  private let group: MultiThreadedEventLoopGroup

  private init(
    _ listener: any Channel, feed: LiveFeed, services: ServiceGroup, task: Task<Void, any Error>,
    group: MultiThreadedEventLoopGroup, port: Int
  ) {
    url = "http://127.0.0.1:\(listener.localAddress?.port ?? port)/"
    self.listener = listener
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
    let (started, signal) = AsyncThrowingStream.makeStream(of: (any Channel).self)
    var logger = Logger(label: "murphy.live")
    logger.logLevel = .critical
    let application = Application(
      responder: LiveRoutes.responder(feed),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: "murphy"),
      onServerRunning: { channel in
        signal.yield(channel)
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
      for try await listener in started {
        return LiveServer(listener, feed: feed, services: services, task: task, group: group, port: port)
      }
      throw LiveError(port, "the server stopped before it was ready")
    } catch {
      task.cancel()
      _ = await task.result
      try? await group.shutdownGracefully()
      throw error as? LiveError ?? LiveError(port, Self.reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE: "the port is in use. Choose another port, or use --live without a port"
    case EACCES: "ports below 1024 require special permissions. Choose a higher port"
    default: "\(error)"
    }
  }

  /// Stores the latest snapshot of the engine; from any thread.
  package func show(_ snapshot: Snapshot) {
    Task { await feed.update(snapshot) }
  }

  /// Sends the finished report to every watcher, and ends the server.
  ///
  /// The port is closed before the task is cancelled: see `stopAccepting`.
  ///
  /// - Parameter report: the whole document; nil if there is none.
  package func finish(report: String?) async {
    if let report { await feed.finish(report: report) } else { await feed.close() }
    // A browser takes some time to read a report; a watcher that does not read it delays nothing.
    for _ in 0..<20 {
      guard await feed.isWatched else { break }
      try? await Task.sleep(for: .milliseconds(100))
    }
    await listener.stopAccepting(group)
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

  init(_ port: Int, _ reason: String) { description = "cannot serve the live report on 127.0.0.1:\(port): \(reason)." }
}

/// The routes of the live server.
enum LiveRoutes {
  static func responder(_ feed: LiveFeed) -> some HTTPResponder<BasicRequestContext> {
    let router = Router()
    router.add(middleware: LoopbackOnly())
    router.get("/") { _, _ in
      Response(
        status: .ok, headers: headers("text/html; charset=utf-8"),
        body: ResponseBody(byteBuffer: ByteBuffer(string: await feed.document)))
    }
    router.get("/metrics") { _, _ in
      Response(
        status: .ok, headers: headers("application/openmetrics-text; version=1.0.0; charset=utf-8"),
        body: ResponseBody(byteBuffer: ByteBuffer(string: await feed.metrics)))
    }
    router.get("/events") { _, _ in
      Response(status: .ok, headers: headers("text/event-stream"), body: events(feed))
    }
    return router.buildResponder()
  }

  private static func headers(_ type: String) -> HTTPFields {
    var fields: HTTPFields = [
      .contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
      .contentSecurityPolicy: "frame-ancestors 'none'",
    ]
    // No page of another origin may embed the data of a run (Fetch §3.7).
    if let policy = HTTPField.Name("Cross-Origin-Resource-Policy") { fields[policy] = "same-origin" }
    return fields
  }

  private static func events(_ feed: LiveFeed) -> ResponseBody {
    ResponseBody { writer in
      let (number, events) = await feed.watch()
      do {
        for await event in events { try await writer.write(ByteBuffer(string: text(event))) }
        try await writer.finish(nil)
      } catch {
        await feed.leave(number)
        throw error
      }
      await feed.leave(number)
    }
  }

  /// An event with its name and its data; each line of the data has its own field.
  static func text(_ event: LiveFeed.Event) -> String {
    let (name, data) =
      switch event {
      case .part(let html): ("part", html)
      case .report(let html): ("report", html)
      }
    let lines = data.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
    return "event: \(name)\n" + lines.map { "data: \($0)\n" }.joined() + "\n"
  }
}

/// Rejects requests with another host name. A remote page with a name that resolves to the loopback (DNS rebinding)
/// must not read a run.
struct LoopbackOnly<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let host = request.head.authority.map { $0.lowercased() } ?? ""
    let name = host.split(separator: ":").first.map(String.init) ?? ""
    guard ["127.0.0.1", "localhost"].contains(name) else { throw HTTPError(.forbidden) }
    return try await next(request, context)
  }
}
