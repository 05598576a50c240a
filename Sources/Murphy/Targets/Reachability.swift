import Foundation
import MurphyModel
import MurphyTransport

/// Whether somebody listens at a URL's address, found out before any load is sent.
enum Reachability {
  /// Opens and closes one TCP connection, waiting at most `timeout` for each of the host's addresses.
  ///
  /// With a proxy in the environment nothing is tried: only the proxy may be able to reach the host.
  /// - Throws: `GateError.unreachable` with a sentence.
  static func check(_ url: String, timeout: Duration, environment: [String: String]) throws(GateError) {
    let proxies = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    guard proxies.allSatisfy({ (environment[$0] ?? "").isEmpty }) else { return }
    guard let components = URLComponents(string: url), let host = components.host, !host.isEmpty else {
      throw .usage("the target \"\(url)\" has no host. Expected http://HOST:PORT or https://HOST.")
    }
    // Credentials of the URL stay out of messages.
    let url = (try? Origin(url))?.text ?? url
    let port = components.port ?? (components.scheme == "https" ? 443 : 80)
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(bare, String(port), &hints, &found) == 0, let first = found else {
      throw .unreachable("the target \(url) cannot be reached: no address is known for \"\(bare)\".")
    }
    defer { freeaddrinfo(found) }
    var reason = "nobody answered"
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let address = next {
      switch connectOnce(address.pointee, timeout) {
      case 0: return
      case let code: reason = String(cString: strerror(code)).lowercased()
      }
      next = address.pointee.ai_next
    }
    throw .unreachable("the target \(url) cannot be reached: \(reason). Is it running, and is the port \(port) right?")
  }

  /// Zero, or the system's error number.
  private static func connectOnce(_ address: addrinfo, _ timeout: Duration) -> Int32 {
    let socket = Foundation.socket(address.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard socket >= 0 else { return errno }
    defer { close(socket) }
    if connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return 0 }
    guard errno == EINPROGRESS else { return errno }
    var wait = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    guard poll(&wait, 1, Int32(timeout.nanoseconds / 1_000_000)) > 0 else { return ETIMEDOUT }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return errno }
    return code
  }
}
