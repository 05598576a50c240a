import Glibc

/// The target's addresses, looked up once for all users and loops.
package struct ResolvedHost: Sendable {
  /// libcurl's notation, `host:port:address,address`.
  let curlEntry: String

  /// Asks the system's resolver; blocks. Nil for a host that is an address already.
  package init?(_ origin: Origin) throws(TransportError) {
    var name = origin.host
    if name.hasPrefix("[") { return nil }
    var address = in_addr()
    if inet_pton(AF_INET, name, &address) == 1 { return nil }
    if name.hasSuffix(".") { name.removeLast() }
    var hints = addrinfo()
    hints.ai_flags = AI_ADDRCONFIG
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(name, nil, &hints, &found)
    guard code == 0 else { throw .unresolved("\(name): \(String(cString: gai_strerror(code)))") }
    defer { freeaddrinfo(found) }
    var texts: [String] = []
    var next = found
    while let info = next {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let entry = info.pointee
      if getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let address = String(decoding: bytes, as: UTF8.self)
        // Each address comes once per kind of socket.
        if !texts.contains(address) { texts.append(address) }
      }
      next = entry.ai_next
    }
    let addresses = texts.map { $0.contains(":") ? "[\($0)]" : $0 }
    curlEntry = "\(origin.host):\(origin.port):\(addresses.joined(separator: ","))"
  }
}
