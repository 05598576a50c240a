import Foundation
import MurphyModel
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The headers that a proxy forwards.
enum ProxyFields {
  /// Headers of one connection (RFC 9110 §7.6.1), and the length, which the sender of a body writes itself.
  private static let hopByHop: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade", "http2-settings", "content-length",
  ]

  /// Without the headers of the connection, and those that `Connection` names.
  static func endToEnd(_ fields: [HeaderField]) -> [HeaderField] {
    var dropped = hopByHop
    for field in fields where field.name.lowercased() == "connection" {
      dropped.formUnion(list(field.value).map { $0.lowercased() })
    }
    return fields.filter { !dropped.contains($0.name.lowercased()) }
  }

  /// `Accept-Encoding` with only the codings that a recording can decode.
  static func withKnownCodings(_ field: HeaderField) -> HeaderField {
    guard field.name.lowercased() == "accept-encoding" else { return field }
    let known = list(field.value).filter { coding in
      let name = coding.prefix { $0 != ";" && $0 != " " }.lowercased()
      return ["gzip", "x-gzip", "deflate", "identity"].contains(name)
    }
    return HeaderField(field.name, known.isEmpty ? "identity" : known.joined(separator: ", "))
  }

  /// The elements of a comma-separated list.
  static func list(_ value: String) -> [String] {
    value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// The values of a header that may occur several times.
  static func values(_ name: String, of fields: [HeaderField]) -> [String] {
    fields.filter { $0.name.lowercased() == name }.flatMap { list($0.value) }
  }

  /// The first value of a header.
  static func value(_ name: String, of fields: [HeaderField]) -> String? {
    fields.first { $0.name.lowercased() == name }?.value
  }
}

/// Keeps the host of a request target in absolute form (RFC 9112 §3.2.2). If it differs from the `Host` header, it is
/// added as one more `Host`. Later handlers receive only the path.
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

  /// Lower case; nil if the target is a path.
  private static func authority(of target: String) -> String? {
    guard let scheme = target.utf8.firstRange(of: "://".utf8), !target.hasPrefix("/") else { return nil }
    let rest = target.utf8[scheme.upperBound...].prefix { !"/?#".utf8.contains($0) }
    return String(decoding: rest, as: UTF8.self).lowercased()
  }

  /// Installs the handler before the codec changes requests.
  final class Installer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    func handlerAdded(context: ChannelHandlerContext) {
      let pipeline = context.pipeline.syncOperations
      // A pipeline without the codec does not belong to this server, and its requests have no absolute form.
      guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
      try? pipeline.addHandler(AbsoluteForm(), position: .before(codec))
    }
  }
}
