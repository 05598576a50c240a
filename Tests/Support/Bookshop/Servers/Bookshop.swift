import Foundation
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// A bookshop's API that conforms to `bookshop.yaml` strictly, but for the one fault that it is started with.
///
/// Shares no code with Murphy, which is tested against it. All is in memory.
package struct Bookshop: Sendable {
  private let shop = Shop()
  private let fault: Fault?
  /// Tokens of two users that are there from the start.
  package let tokens: [String]

  package init(fault: Fault? = nil) {
    self.fault = fault
    tokens = shop.state.withLock { state in
      Stock.names.compactMap { name in
        state.users.values.first { $0.name == name }.map { state.addToken(of: $0.id) }
      }
    }
  }

  /// Serves until the task is cancelled.
  package func run(port: Int, onListening: @escaping @Sendable (Int) async -> Void) async throws {
    var logger = Logger(label: "bookshop")
    logger.logLevel = .critical
    let application = Application(
      responder: Routes(shop: shop, fault: fault),
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: port), serverName: "bookshop", backlog: 1024),
      onServerRunning: { await onListening($0.localAddress?.port ?? port) }, logger: logger)
    try await application.run()
  }
}

/// What Hummingbird hands over with a request: the connection.
struct Connection: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}
