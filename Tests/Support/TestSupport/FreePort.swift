import Foundation
import Synchronization

/// Ports of the loopback for programs that cannot choose one themselves, and for those that nobody shall response on.
///
/// They lie below the range that Linux takes ports from for whoever asks for any, and a process of tests gives each out
/// once: no other test's server can come to stand on it.
public enum FreePort {
  public struct NoPort: Error {}

  private static let range = 20_000..<32_000
  private static let next = Atomic(Int.random(in: range))

  /// One that nobody listens on.
  public static func find() throws -> Int {
    for _ in range {
      let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
      let port = range.lowerBound + number % range.count
      if withSocket(port, bind) { return port }
    }
    throw NoPort()
  }

  /// Whether somebody listens there.
  public static func isTaken(_ port: Int) -> Bool { withSocket(port, connect) }

  /// Whether a call on a new socket and the loopback's port succeeds.
  private static func withSocket(
    _ port: Int, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
