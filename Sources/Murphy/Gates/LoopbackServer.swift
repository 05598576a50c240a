import Foundation
import Hummingbird
import Logging
import MurphyServer
import NIOCore
import NIOPosix
import ServiceLifecycle

/// A server of murphy for the duration of a run, only on the loopback.
///
/// It responds on its own thread, so no loop that generates load waits for it. It still uses the same processors.
final class LoopbackServer: Sendable {
  let port: Int
  private let services: ServiceGroup
  private let listener: any Channel
  private let task: Task<Void, any Error>
  private let group: MultiThreadedEventLoopGroup

  private init(
    _ listener: any Channel, services: ServiceGroup, task: Task<Void, any Error>, group: MultiThreadedEventLoopGroup,
    port: Int
  ) {
    self.port = listener.localAddress?.port ?? port
    self.listener = listener
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
  ///   - purpose: the beginning of the sentence of an error: `cannot serve the live report`.
  ///   - option: the option that sets the port.
  /// - Throws: `LiveError` if the port is not available.
  static func start(
    port: Int, purpose: String, option: String, _ responder: some HTTPResponder<BasicRequestContext>
  ) async throws(LiveError) -> LoopbackServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let (started, signal) = AsyncThrowingStream.makeStream(of: (any Channel).self)
    var logger = Logger(label: "murphy.loopback")
    logger.logLevel = .critical
    let application = Application(
      responder: responder,
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
        return LoopbackServer(listener, services: services, task: task, group: group, port: port)
      }
      throw LiveError(purpose, port, "the server stopped before it was ready")
    } catch {
      task.cancel()
      _ = await task.result
      try? await group.shutdownGracefully()
      throw error as? LiveError ?? LiveError(purpose, port, reason(error, option))
    }
  }

  private static func reason(_ error: any Error, _ option: String) -> String {
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE: "the port is in use. Choose another port with \(option)=PORT, or any free port with \(option)=0"
    case EACCES: "ports below 1024 require special permissions. Choose a higher port"
    default: "\(error)"
    }
  }

  /// Ends the server.
  ///
  /// The port is closed before the task is cancelled: see `stopAccepting`.
  func stop() async {
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

/// The reason why a server on the loopback cannot be started.
package struct LiveError: Error, CustomStringConvertible, Sendable {
  package let description: String

  init(_ purpose: String, _ port: Int, _ reason: String) {
    description = "\(purpose) on 127.0.0.1:\(port): \(reason)."
  }
}
