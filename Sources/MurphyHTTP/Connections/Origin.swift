import CLibcurl
import Glibc
import MurphyModel

/// The destination of requests: scheme, host, port and the path before every target.
package struct Origin: Sendable, Hashable {
  package var scheme: String
  /// In the format of a URL: an IPv6 address is in brackets.
  package var host: String
  package var port: Int
  /// The path before every target; empty or `/v1`, without a slash at the end.
  package var basePath: String
  /// `name:password`, percent-encoded; nil if the URL has none.
  package var credentials: String?

  /// Reads an absolute `http` or `https` URL (RFC 3986).
  package init(_ url: String) throws(OriginError) {
    guard let parts = curl_url() else { throw OriginError(url: url, reason: "out of memory") }
    defer { curl_url_cleanup(parts) }
    let code = curl_url_set(parts, CURLUPART_URL, url, 0)
    guard code == CURLUE_OK else {
      throw OriginError(url: url, reason: String(cString: curl_url_strerror(code)))
    }
    func part(_ part: CURLUPart) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(parts, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else { return nil }
      defer { curl_free(text) }
      return String(cString: text)
    }
    guard let scheme = part(CURLUPART_SCHEME), scheme == "http" || scheme == "https" else {
      throw OriginError(url: url, reason: "expected a URL that begins with http:// or https://")
    }
    guard part(CURLUPART_QUERY) == nil, part(CURLUPART_FRAGMENT) == nil else {
      throw OriginError(url: url, reason: "a target must not have a query or a fragment")
    }
    self.scheme = scheme
    host = part(CURLUPART_HOST) ?? ""
    port = part(CURLUPART_PORT).flatMap { Int($0) } ?? (scheme == "https" ? 443 : 80)
    var path = part(CURLUPART_PATH) ?? ""
    while path.hasSuffix("/") { path.removeLast() }
    basePath = path
    credentials = part(CURLUPART_USER).map { user in user + ":" + (part(CURLUPART_PASSWORD) ?? "") }
  }

  /// The URL before every target, without credentials.
  package var text: String { "\(scheme)://\(authority)\(basePath)" }

  /// The `Host` header's value.
  package var authority: String { port == (scheme == "https" ? 443 : 80) ? host : "\(host):\(port)" }
}

/// A target URL that cannot be used.
package struct OriginError: Error, CustomStringConvertible {
  /// The URL as given; messages show it without credentials.
  package var url: String
  /// A sentence for people.
  package var reason: String

  package var description: String {
    "cannot use \"\(URLCredentials.masked(url))\" as the target: \(reason). Use a URL such as http://127.0.0.1:8080/v1"
  }
}

/// The proxies of the environment, read as curl reads them.
enum ProxyEnvironment {
  /// Returns true if a request with `scheme` may go through a proxy; libcurl handles `no_proxy`. The upper case of
  /// `http_proxy` is not read: the caller of a CGI script could set it.
  static func names(proxyFor scheme: String) -> Bool {
    let names = scheme == "http" ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]
    return (names + ["all_proxy", "ALL_PROXY"]).contains { name in
      guard let value = getenv(name) else { return false }
      return value.pointee != 0
    }
  }
}

/// Checks whether a target is on this machine, so that a test of it cannot harm others.
package enum Loopback {
  /// True if every address of the URL's host is a loopback address: 127.0.0.0/8 or ::1 (RFC 6890 §2.2).
  ///
  /// Calls the system's resolver; blocks. False for names without an address.
  package static func holds(_ url: String) -> Bool {
    let found = addresses(of: url)
    return !found.isEmpty && found.allSatisfy(\.isLoopback)
  }

  /// True if the target is reached over IPv4, where every 127.x.y.z is an address of this machine.
  package static func hasManyAddresses(_ url: String) -> Bool {
    let found = addresses(of: url)
    return !found.isEmpty && found.allSatisfy { $0.isLoopback && $0.family == AF_INET }
  }

  private static func addresses(of url: String) -> [SocketAddress] {
    guard let origin = try? Origin(url), let host = try? ResolvedHost(addressesOf: origin) else { return [] }
    return host.addresses
  }
}

extension SocketAddress {
  /// 127.0.0.0/8 or ::1 (RFC 6890 §2.2).
  var isLoopback: Bool {
    bytes.withUnsafeBytes { raw in
      switch family {
      case AF_INET where raw.count >= MemoryLayout<sockaddr_in>.size:
        UInt32(bigEndian: raw.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr) >> 24 == 127
      case AF_INET6 where raw.count >= MemoryLayout<sockaddr_in6>.size:
        withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) {
          $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1
        }
      default: false
      }
    }
  }
}

/// The data about the target before the first request: its addresses, resolved once for all users and loops, and the
/// version of HTTP that it picks.
package struct ResolvedHost: Sendable {
  let addresses: [SocketAddress]
  /// libcurl's notation, `host:port:address,address`; nil if the host is already an address.
  let curlEntry: String?
  /// How long the resolver took; nil if no name had to be resolved.
  package let lookup: Duration?
  /// The version of HTTP that the target picks under TLS.
  package private(set) var negotiation = Negotiation.unknown

  /// Calls the system's resolver. If the version of HTTP decides the path, it also negotiates with the target; blocks.
  package init(_ origin: Origin, _ options: TransportOptions) throws(TransportError) {
    try self.init(addressesOf: origin)
    if options.prefersDirectPath && !options.hasProxy(to: origin) {
      negotiation = Negotiation(with: origin, options, curlEntry: curlEntry)
    }
  }

  /// Calls only the system's resolver; blocks.
  init(addressesOf origin: Origin) throws(TransportError) {
    var name = origin.host
    let isLiteral = name.hasPrefix("[") || SocketAddress.isIPv4(name)
    if name.hasPrefix("[") { name = String(name.dropFirst().dropLast()) }
    let begun = Instant.now
    addresses = try SocketAddress.resolve(name, port: origin.port, isLiteral: isLiteral)
    lookup = isLiteral ? nil : .nanoseconds(Instant.now - begun)
    let texts = addresses.map(\.text)
    curlEntry = isLiteral ? nil : "\(origin.host):\(origin.port):\(texts.joined(separator: ","))"
  }
}

/// An IPv4 or IPv6 address with a port, in the format of the system calls.
struct SocketAddress: Sendable, Hashable {
  let family: CInt
  /// A `sockaddr`.
  let bytes: [UInt8]

  /// - Parameter isLiteral: `name` is an address; no name is resolved.
  static func resolve(_ name: String, port: Int, isLiteral: Bool) throws(TransportError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_flags = isLiteral ? AI_NUMERICHOST : AI_ADDRCONFIG
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(name, String(port), &hints, &found)
    guard code == 0 else { throw .unresolved("\(name): \(String(cString: gai_strerror(code)))") }
    defer { freeaddrinfo(found) }
    var addresses: [SocketAddress] = []
    var next = found
    while let info = next?.pointee {
      let bytes = Array(UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
      let address = SocketAddress(family: info.ai_family, bytes: bytes)
      // The resolver returns each address once per kind of socket.
      if !addresses.contains(address) { addresses.append(address) }
      next = info.ai_next
    }
    return addresses
  }

  static func isIPv4(_ text: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, text, &address) == 1
  }

  /// The address without its port; IPv6 in brackets.
  var text: String {
    var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    bytes.withUnsafeBytes { raw in
      guard let address = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
      _ = getnameinfo(address, socklen_t(raw.count), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
    }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return family == AF_INET6 ? "[\(text)]" : text
  }
}
