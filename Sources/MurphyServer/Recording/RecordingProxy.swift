import HummingbirdCore
import Logging
import MurphyHTTP
import MurphyModel
import MurphySchema
import NIOCore
import NIOPosix
import ServiceLifecycle

/// A proxy on the loopback that forwards every request to one target, and records requests and responses.
///
/// It replaces the target (a reverse proxy): an app uses its address in place of the target's. Requests and responses
/// are forwarded when they are complete.
package final class RecordingProxy: Sendable {
  /// The options of `murphy record`.
  package struct Options: Sendable {
    /// 0 for any free one.
    package var port = 0
    /// An `http` or `https` URL; the part after the host is added before every path.
    package var target: String
    /// PEM file of trusted authorities, in place of the system's.
    package var authorities: String?
    /// The client certificate of the TLS handshake; nil for none.
    package var certificate: ClientCertificate?
    /// From the send of a request to the last byte of its response.
    package var timeout: Duration = .seconds(60)

    package init(target: String) { self.target = target }
  }

  /// Its address: `http://127.0.0.1:8081`.
  package let url: String
  /// The recording so far.
  package let session: RecordedSession
  private let forwarder: Forwarder
  private let services: ServiceGroup
  private let listener: any Channel
  private let task: Task<Void, any Error>

  private init(
    _ listener: any Channel, session: RecordedSession, forwarder: Forwarder, services: ServiceGroup,
    task: Task<Void, any Error>, port: Int
  ) {
    url = "http://127.0.0.1:\(listener.localAddress?.port ?? port)"
    self.listener = listener
    self.session = session
    self.forwarder = forwarder
    self.services = services
    self.task = task
  }

  /// The time that remains for requests in progress when the proxy is stopped.
  private static let patience: Duration = .seconds(2)

  /// Starts to listen, and returns once connections are accepted.
  ///
  /// - Parameter watch: called for every exchange when it is complete; from any thread.
  /// - Throws: a `GateError` for an invalid target, a target without an address, or an unavailable port.
  package static func start(
    _ options: Options, watch: @escaping @Sendable (RecordedExchange) -> Void = { _ in }
  ) async throws(GateError) -> RecordingProxy {
    let origin: Origin
    do throws(OriginError) { origin = try Origin(options.target) } catch { throw .usage(error.description) }
    let forwarder = try Forwarder(origin, options)
    let session = RecordedSession(origin: origin.text, watch: watch)
    // The event loop group of the process: a server that ends may still have work on it.
    let group = MultiThreadedEventLoopGroup.singleton
    let (started, signal) = AsyncThrowingStream.makeStream(of: (any Channel).self)
    do {
      let responder = ProxyResponder(forwarder: forwarder, session: session)
      let server = try HTTPServerBuilder.http1(
        configuration: .init(additionalChannelHandlers: [AbsoluteForm.Installer()])
      ).buildServer(
        configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: options.port)),
        eventLoopGroup: group, logger: quiet,
        responder: { request, writer, _ in try await responder.respond(to: request, writer) },
        onServerRunning: { signal.yield($0) })
      let services = ServiceGroup(configuration: .init(services: [server], logger: quiet))
      let task = Task {
        do {
          try await services.run()
          signal.finish()
        } catch {
          signal.finish(throwing: error)
          throw error
        }
      }
      for try await listener in started {
        return RecordingProxy(
          listener, session: session, forwarder: forwarder, services: services, task: task, port: options.port)
      }
      throw GateError.usage("cannot record: the proxy stopped before it accepted connections.")
    } catch {
      await forwarder.stop()
      throw error as? GateError ?? .usage(reason(error, options.port))
    }
  }

  /// Waits for requests in progress, for two seconds at most; all others are cut off.
  package func stop() async {
    await listener.stopAccepting(MultiThreadedEventLoopGroup.singleton)
    await services.triggerGracefulShutdown()
    let cut = Task { [forwarder, task] in
      try? await Task.sleep(for: Self.patience)
      await forwarder.stop()
      task.cancel()
    }
    _ = await task.result
    cut.cancel()
    await cut.value
  }

  private static var quiet: Logger {
    var logger = Logger(label: "murphy.record")
    logger.logLevel = .critical
    return logger
  }

  private static func reason(_ error: any Error, _ port: Int) -> String {
    let cause =
      switch (error as? IOError)?.errnoCode {
      case EADDRINUSE: "the port is in use. Choose another port, or 0 for any free port."
      case EACCES: "ports below 1024 require special permissions. Choose a higher port."
      default: "\(error)."
      }
    return "cannot listen on 127.0.0.1:\(port): \(cause)"
  }
}

/// A response of the proxy itself: problem details (RFC 9457 §3).
struct ProxyProblem: Sendable {
  var status: Int
  var title: String
  var detail: String
  /// The feature that the proxy cannot forward; nil for other problems.
  var unsupported: String?

  /// For a request without a response from the target: 504 after a timeout, otherwise 502.
  init(_ error: TransportError) {
    switch error {
    case .timeout, .connectTimeout: (status, title) = (504, "Gateway Timeout")
    default: (status, title) = (502, "Bad Gateway")
    }
    detail = "The target did not respond: \(error.sentence)"
  }

  private init(_ status: Int, _ title: String, _ detail: String) {
    self.status = status
    self.title = title
    self.detail = detail
  }

  static func badRequest(_ detail: String) -> ProxyProblem { ProxyProblem(400, "Bad Request", detail) }
  static func tooLarge(_ detail: String) -> ProxyProblem { ProxyProblem(413, "Content Too Large", detail) }
  static func misdirected(_ detail: String) -> ProxyProblem { ProxyProblem(421, "Misdirected Request", detail) }
  static func badGateway(_ detail: String) -> ProxyProblem { ProxyProblem(502, "Bad Gateway", detail) }
  /// - Parameter what: `WebSocket`
  static func notSupported(_ what: String, _ detail: String) -> ProxyProblem {
    var problem = ProxyProblem(501, "Not Implemented", detail)
    problem.unsupported = what
    return problem
  }

  var text: String {
    JSONValue.object([
      "type": "about:blank", "title": .string(title), "status": JSONValue(status),
      "detail": .string("murphy record: \(detail)"),
    ]).text + "\n"
  }
}
