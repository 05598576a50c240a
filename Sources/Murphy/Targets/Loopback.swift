import Foundation
import MurphyModel

/// Whether a target is on this machine, so that testing it harms nobody else.
enum Loopback {
  /// True when every address of the URL's host is loopback: 127.0.0.0/8 or ::1 (RFC 6890 §2.2).
  ///
  /// Asks the system's resolver; blocks. False for names without an address.
  static func holds(_ url: String) -> Bool {
    guard let host = URLComponents(string: url)?.host, !host.isEmpty else { return false }
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(bare, nil, &hints, &found) == 0, found != nil else { return false }
    defer { freeaddrinfo(found) }
    var next = found
    while let address = next {
      guard isLoopback(address.pointee.ai_addr) else { return false }
      next = address.pointee.ai_next
    }
    return true
  }

  /// Whether the target is reached over IPv4, where every 127.x.y.z is an address of this machine.
  static func hasManyAddresses(_ url: String) -> Bool {
    guard holds(url), let host = URLComponents(string: url)?.host else { return false }
    return !host.contains(":")
  }

  private static func isLoopback(_ address: UnsafeMutablePointer<sockaddr>?) -> Bool {
    guard let address else { return false }
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 24 == 127
      }
    case AF_INET6:
      return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        withUnsafeBytes(of: $0.pointee.sin6_addr) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
      }
    default: return false
    }
  }
}
