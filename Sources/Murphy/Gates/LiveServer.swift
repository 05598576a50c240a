import HTTPTypes
import Hummingbird
import MurphyEngine
import MurphyModel
import NIOCore

/// Serves a running test: a live page, and OpenMetrics text for a Prometheus.
///
///     /          the page; `/events` updates it (server-sent events, WHATWG HTML §9.2)
///     /metrics   OpenMetrics 1.0
package final class LiveServer: Sendable {
  /// The URL of the page.
  package let url: String
  private let feed: LiveFeed
  private let server: LoopbackServer

  private init(_ server: LoopbackServer, feed: LiveFeed) {
    url = "http://127.0.0.1:\(server.port)/"
    self.server = server
    self.feed = feed
  }

  /// Starts the server and returns once it accepts connections.
  ///
  /// - Parameters:
  ///   - port: 0 for any free one.
  ///   - run: the known data of the run before it begins.
  /// - Throws: `LiveError` if the port is not available.
  package static func start(port: Int, run: RunInfo) async throws(LiveError) -> LiveServer {
    let feed = LiveFeed(run)
    let server = try await LoopbackServer.start(
      port: port, purpose: "cannot serve the live report", option: "--live", LiveRoutes.responder(feed))
    return LiveServer(server, feed: feed)
  }

  /// Stores the latest snapshot of the engine; from any thread.
  package func show(_ snapshot: Snapshot) {
    Task { await feed.update(snapshot) }
  }

  /// Sends the finished report to every watcher, and ends the server.
  ///
  /// - Parameter report: the whole document; nil if there is none.
  package func finish(report: String?) async {
    if let report { await feed.finish(report: report) } else { await feed.close() }
    // A browser takes some time to read a report; a watcher that does not read it delays nothing.
    for _ in 0..<20 {
      guard await feed.isWatched else { break }
      try? await Task.sleep(for: .milliseconds(100))
    }
    await server.stop()
  }
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
