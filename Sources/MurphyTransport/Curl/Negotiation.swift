import CLibcurl
import MurphyModel

/// What a server makes of an offer of HTTP/2 in the TLS handshake (ALPN, RFC 7301).
package enum Negotiation: Sendable {
  case http1
  case http2
  /// There is no TLS, the handshake failed, or libcurl's TLS library does not tell.
  case unknown

  /// Shakes hands with the target once and sends nothing; blocks, at most for the connect timeout.
  init(with origin: Origin, _ options: TransportOptions, curlEntry: String?) {
    self = .unknown
    guard origin.scheme == "https", options.version == .auto, let easy = curl_easy_init() else { return }
    defer { curl_easy_cleanup(easy) }
    let addresses = curlEntry.flatMap { curl_slist_append(nil, $0) }
    defer { curl_slist_free_all(addresses) }
    options.setReach(easy, to: origin)
    curl_set_text(easy, CURLOPT_URL, origin.text)
    curl_set_pointer(easy, CURLOPT_RESOLVE, addresses)
    curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    curl_set_long(easy, CURLOPT_TIMEOUT_MS, options.connectTimeout.milliseconds)
    let answer = Answer(easy: easy)
    curl_set_prerequest_function(easy, noteProtocol)
    curl_set_pointer(easy, CURLOPT_PREREQDATA, Unmanaged.passUnretained(answer).toOpaque())
    // With `CURLOPT_CONNECT_ONLY` libcurl 7.88 sends the preface of HTTP/2 all the same, so the request is called off.
    guard curl_easy_perform(easy) == CURLE_ABORTED_BY_CALLBACK, let picked = answer.picked else { return }
    self = picked == "h2" ? .http2 : .http1
  }

  /// What the server picked, empty for nothing.
  fileprivate final class Answer {
    let easy: UnsafeMutableRawPointer
    var picked: String?

    init(easy: UnsafeMutableRawPointer) { self.easy = easy }

    func read() {
      var name = [CChar](repeating: 0, count: 32)
      let length = curl_negotiated_protocol(easy, &name, UInt32(name.count))
      if length >= 0 { picked = String(decoding: name[..<Int(length)].map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }
  }
}

/// Called when the connection stands and its handshake is done.
private func noteProtocol(
  _ user: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ remotePort: CInt, _ localPort: CInt
) -> CInt {
  if let user { Unmanaged<Negotiation.Answer>.fromOpaque(user).takeUnretainedValue().read() }
  return CURL_PREREQFUNC_ABORT
}
