import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Keeps the host that the target of a request names in absolute form (RFC 9112 §3.2.2) as one more `Host`, where it is another
/// than that of the field: what reads the request afterwards sees the path alone.
final class AbsoluteForm: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), let authority = Self.authority(of: head.uri),
      head.headers["host"].contains(where: { $0.lowercased() != authority })
    else { return context.fireChannelRead(data) }
    head.headers.add(name: "Host", value: authority)
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  /// Lower case; nil for a target that is a path.
  private static func authority(of target: String) -> String? {
    guard let scheme = target.utf8.firstRange(of: "://".utf8), !target.hasPrefix("/") else { return nil }
    let rest = target.utf8[scheme.upperBound...].prefix { !"/?#".utf8.contains($0) }
    return String(decoding: rest, as: UTF8.self).lowercased()
  }

  /// Puts the handler where requests still are as they came.
  final class Installer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    func handlerAdded(context: ChannelHandlerContext) {
      let pipeline = context.pipeline.syncOperations
      // A pipeline without the codec is none of this server's, and its requests have no absolute form either.
      guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
      try? pipeline.addHandler(AbsoluteForm(), position: .before(codec))
    }
  }
}
