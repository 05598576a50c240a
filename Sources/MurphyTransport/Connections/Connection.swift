import CLibcurl
import Glibc

/// One virtual user's client: own TCP connections, own cookies, own source address.
///
/// Belongs to its loop's thread.
package final class Connection {
  let transport: Transport
  let multi: Multi
  /// The user's key in libcurl's connection pool.
  let scope: Int
  /// The user's cookies (RFC 6265).
  private(set) var jar: UnsafeMutableRawPointer?
  /// The local address to send from; nil for the system's choice.
  package let sourceAddress: String?
  /// `host!127.0.0.2`, or nil for the system's choice.
  let interface: String?
  /// The open sockets of this user.
  var sockets: [CInt] = []
  private var isClosed = false

  init(transport: Transport, multi: Multi, scope: Int, sourceAddress: String?, keepsCookies: Bool) {
    self.transport = transport
    self.multi = multi
    self.scope = scope
    self.sourceAddress = sourceAddress
    interface = sourceAddress.map { "host!" + $0 }
    if keepsCookies { jar = curl_cookie_jar() }
  }

  deinit {
    close()
    if let jar { curl_share_cleanup(jar) }
  }

  /// Sends a request at once. Several may be in flight; with HTTP/1.1 each has a TCP connection.
  package func start(_ request: HTTPRequest) -> Transfer { transport.start(request, on: self) }

  /// Begins anew without cookies. No request may be in flight.
  package func forgetCookies() {
    guard let old = jar else { return }
    curl_share_cleanup(old)
    jar = curl_cookie_jar()
  }

  /// Closes the user's TCP connections. Requests still in flight fail.
  ///
  /// libcurl finds the closed sockets in its pool within a second of further traffic and frees them.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    multi.users -= 1
    for socket in sockets {
      shutdown(socket, CInt(SHUT_RDWR))
      transport.forget(socket)
    }
    sockets = []
  }
}
