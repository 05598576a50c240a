import Glibc

/// The target's addresses, looked up once for all users and loops.
package struct ResolvedHost: Sendable {
  let addresses: [SocketAddress]
  /// libcurl's notation, `host:port:address,address`; nil for a host that is an address already.
  let curlEntry: String?

  /// Asks the system's resolver; blocks.
  package init(_ origin: Origin) throws(TransportError) {
    var name = origin.host
    let isLiteral = name.hasPrefix("[") || SocketAddress.isIPv4(name)
    if name.hasPrefix("[") { name = String(name.dropFirst().dropLast()) }
    addresses = try SocketAddress.resolve(name, port: origin.port, isLiteral: isLiteral)
    let texts = addresses.map(\.text)
    curlEntry = isLiteral ? nil : "\(origin.host):\(origin.port):\(texts.joined(separator: ","))"
  }
}
