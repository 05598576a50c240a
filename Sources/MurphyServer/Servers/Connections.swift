import NIOCore
import Synchronization

/// The open connections of one server, so that stopping it need not wait for its clients.
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
