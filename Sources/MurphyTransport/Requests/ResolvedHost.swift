import Glibc

/// What is known of the target before the first request: its addresses, looked up once for all users and loops, and the
/// version of HTTP that it picks.
package struct ResolvedHost: Sendable {
  let addresses: [SocketAddress]
  /// libcurl's notation, `host:port:address,address`; nil for a host that is an address already.
  let curlEntry: String?
  /// The version of HTTP that the target picks under TLS.
  package private(set) var negotiation = Negotiation.unknown

  /// Asks the system's resolver and, where it decides how requests go, the target for its version of HTTP; blocks.
  package init(_ origin: Origin, _ options: TransportOptions) throws(TransportError) {
    try self.init(addressesOf: origin)
    if options.prefersDirectPath && !options.hasProxy(to: origin) {
      negotiation = Negotiation(with: origin, options, curlEntry: curlEntry)
    }
  }

  /// Asks the system's resolver alone; blocks.
  init(addressesOf origin: Origin) throws(TransportError) {
    var name = origin.host
    let isLiteral = name.hasPrefix("[") || SocketAddress.isIPv4(name)
    if name.hasPrefix("[") { name = String(name.dropFirst().dropLast()) }
    addresses = try SocketAddress.resolve(name, port: origin.port, isLiteral: isLiteral)
    let texts = addresses.map(\.text)
    curlEntry = isLiteral ? nil : "\(origin.host):\(origin.port):\(texts.joined(separator: ","))"
  }
}
