import Glibc

/// An IPv4 or IPv6 address with a port, as the system's calls take it.
struct SocketAddress: Sendable, Hashable {
  let family: CInt
  /// A `sockaddr`.
  let bytes: [UInt8]

  /// - Parameter isLiteral: `name` is an address; nothing is looked up.
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
      // Each address comes once per kind of socket.
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
