import Glibc
import MurphyModel

/// Whether a target is on this machine, so that testing it harms nobody else.
package enum Loopback {
  /// True when every address of the URL's host is a loopback address: 127.0.0.0/8 or ::1 (RFC 6890 §2.2).
  ///
  /// Asks the system's resolver; blocks. False for names without an address.
  package static func holds(_ url: String) -> Bool {
    let found = addresses(of: url)
    return !found.isEmpty && found.allSatisfy(\.isLoopback)
  }

  /// Whether the target is reached over IPv4, where every 127.x.y.z is an address of this machine.
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
