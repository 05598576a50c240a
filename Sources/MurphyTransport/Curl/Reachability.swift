import CLibcurl
import Glibc
import MurphyModel

/// Whether somebody listens at a target, found out before any load is sent.
package enum Reachability {
  /// Opens and closes one connection to the target; blocks, at most for the connect timeout. Each of the host's addresses
  /// is tried. With a proxy nothing is tried: only the proxy may be able to reach the host.
  ///
  /// - Parameter isEncrypted: whether a TLS handshake belongs to the connection. No request is sent.
  /// - Throws: why no connection came about.
  package static func check(
    _ origin: Origin, _ options: TransportOptions, isEncrypted: Bool
  ) throws(TransportError) {
    guard !options.hasProxy(to: origin) else { return }
    _ = LibcurlVersion.prepare
    guard let easy = curl_easy_init() else { throw .exhausted(.memory, "no memory for another connection") }
    defer { curl_easy_cleanup(easy) }
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    text.initialize(to: 0)
    defer { text.deallocate() }
    options.setReach(easy, to: origin)
    curl_set_pointer(easy, CURLOPT_ERRORBUFFER, text)
    curl_set_text(easy, CURLOPT_URL, "\(isEncrypted ? "https" : "http")://\(origin.host):\(origin.port)")
    curl_set_long(easy, CURLOPT_CONNECT_ONLY, 1)
    curl_set_long(easy, CURLOPT_TIMEOUT_MS, options.connectTimeout.milliseconds)
    let code = curl_easy_perform(easy)
    guard code != CURLE_OK else { return }
    var cause = 0
    curl_get_long(easy, CURLINFO_OS_ERRNO, &cause)
    throw TransportError(
      code, detail: String(cString: text), cause: CInt(truncatingIfNeeded: cause), connected: false, isSent: false,
      begun: false, received: 0, options: (options.connectTimeout, options.connectTimeout))
  }
}
