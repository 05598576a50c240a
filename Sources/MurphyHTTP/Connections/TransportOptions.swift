import CLibcurl
import Glibc
import MurphyModel

/// How the users of a run reach their target.
package struct TransportOptions: Sendable {
  /// The version of HTTP to use.
  package enum Version: Sendable {
    /// HTTP/2 if the server offers it under TLS (ALPN), otherwise HTTP/1.1.
    case auto
    case http1
    /// HTTP/2 with prior knowledge if the target has no TLS.
    case http2
  }

  /// Certificates to trust instead of the system's (PEM).
  package var authorities: String?
  /// The certificate that users present in a TLS handshake; nil for none.
  package var certificate: ClientCertificate?
  /// Off only if the user explicitly turns it off.
  package var checksCertificates = true
  package var version = Version.auto
  /// Nil uses the environment's proxies; an empty string uses none.
  package var proxy: String?
  /// True sends `Accept-Encoding` and decodes responses.
  package var compression = true
  /// The value of `Accept-Encoding`; nil if it is not sent.
  package var codings: String? { compression ? AcceptEncoding.usual : nil }
  /// Responses keep their content codings. Only without `compression`: libcurl decodes the codings that it requests.
  package var keepsCodings = false
  /// The time after which an attempt to connect fails.
  package var connectTimeout: Duration = .seconds(10)
  /// The time from the send to the last byte.
  package var timeout: Duration = .seconds(30)
  /// How long a stream of events is read; nil reads it like any response, to its end.
  package var stream: StreamPatience? = StreamPatience()
  /// The size at which longer bodies are cut off, after decompression.
  package var bodyLimit = ByteCount(8_000_000)
  package var userAgent = "murphy"
  /// The headers of responses that some part of the program reads.
  package var fieldNames = FieldNames.common
  /// The maximum number of users that share a libcurl multi handle. A multi handle visits all its connections after
  /// each request (12 ns each), and needs 59 KB for itself.
  var usersPerMulti = 32
  /// With TLS a multi handle also keeps the trusted authorities, more than a megabyte.
  var usersPerSecureMulti = 256
  /// The same if libcurl performs only the handshakes: each send and receive of 7.88 searches half of the multi
  /// handle's connections.
  var channelsPerMulti = 64
  /// Murphy reads and writes HTTP itself; otherwise libcurl carries the requests, at twice the cost.
  package var prefersDirectPath = true

  package init() {}
}

extension TransportOptions {
  /// Sets how an easy handle reaches a target: names, proxy, TLS and limits. They are the same for requests and
  /// handshakes.
  func setReach(_ easy: UnsafeMutableRawPointer, to origin: Origin) {
    curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, connectTimeout.milliseconds)
    // Each user has its own handshake: the TLS session of one must not shorten another's handshake.
    curl_set_long(easy, CURLOPT_SSL_SESSIONID_CACHE, 0)
    curl_set_long(easy, CURLOPT_DNS_CACHE_TIMEOUT, -1)
    curl_set_long(easy, CURLOPT_TCP_NODELAY, 1)
    if let authorities { curl_set_text(easy, CURLOPT_CAINFO, authorities) }
    if let certificate {
      curl_set_text(easy, CURLOPT_SSLCERT, certificate.file)
      curl_set_text(easy, CURLOPT_SSLKEY, certificate.key ?? certificate.file)
      if let passphrase = certificate.passphrase { curl_set_text(easy, CURLOPT_KEYPASSWD, passphrase) }
    }
    if !checksCertificates {
      curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 0)
      curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 0)
    }
    if let proxy = proxy ?? (hasProxy(to: origin) ? nil : "") { curl_set_text(easy, CURLOPT_PROXY, proxy) }
  }

  /// Returns true if requests go to a proxy, from the option or otherwise from the environment.
  func hasProxy(to origin: Origin) -> Bool {
    proxy.map { !$0.isEmpty } ?? ProxyEnvironment.names(proxyFor: origin.scheme)
  }

  /// The local address that an easy handle sends from; nil for the system's choice.
  static func setSource(_ easy: UnsafeMutableRawPointer, _ address: String?) {
    curl_set_text(easy, CURLOPT_INTERFACE, address.map { "host!" + $0 })
  }
}

/// The files of certificates and keys that TLS handshakes need.
package enum CertificateFiles {
  /// - Parameters:
  ///   - authorities: the authorities to trust instead of the system's; nil for the system's.
  ///   - certificate: the client certificate to present; nil for none.
  /// - Throws: `GateError.usage` for a file that cannot be read or has the wrong content: no request could be sent.
  package static func check(authorities: String?, _ certificate: ClientCertificate?) throws(GateError) {
    if let authorities { try check(authorities, "the certificate authorities", holds: "-----BEGIN ") }
    guard let certificate else { return }
    try check(certificate.file, "the client certificate", holds: "-----BEGIN CERTIFICATE-----")
    try check(certificate.key ?? certificate.file, "the client key", holds: "PRIVATE KEY-----")
  }

  private static func check(_ file: String, _ what: String, holds mark: String) throws(GateError) {
    let bytes: [UInt8]
    do {
      bytes = try BoundedFile.read(file, limit: BoundedFile.scenario)
    } catch {
      throw .usage("cannot read \(what) \(file): \(error). Use a PEM file.")
    }
    guard String(decoding: bytes, as: UTF8.self).contains(mark) else {
      let expected = mark.contains("KEY") ? "-----BEGIN PRIVATE KEY-----" : "-----BEGIN CERTIFICATE-----"
      throw .usage("the file \(file) does not contain \(what): expected PEM, `\(expected)`.")
    }
  }
}

/// Checks whether a server listens at a target, before any load is sent.
package enum Reachability {
  /// Opens and closes one connection to the target; blocks, at most for the connect timeout. It tries each address of
  /// the host. With a proxy it tries nothing: only the proxy may be able to reach the host.
  ///
  /// - Parameter isEncrypted: true if the connection includes a TLS handshake. No request is sent.
  /// - Throws: the reason why no connection was opened.
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
    throw TransportError(
      code, detail: String(cString: text), cause: easy.number(CURLINFO_OS_ERRNO),
      options: (options.connectTimeout, options.connectTimeout))
  }
}

/// The server's choice after an offer of HTTP/2 in the TLS handshake (ALPN, RFC 7301).
package enum Negotiation: Sendable {
  case http1
  case http2
  /// The target has no TLS, the handshake failed, or libcurl's TLS library does not report the choice.
  case unknown

  /// Performs one TLS handshake with the target and sends nothing; blocks, at most for the connect timeout.
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
    let choice = Choice(easy: easy)
    curl_set_prerequest_function(easy, recordProtocol)
    curl_set_pointer(easy, CURLOPT_PREREQDATA, Unmanaged.passUnretained(choice).toOpaque())
    // Even with `CURLOPT_CONNECT_ONLY`, libcurl 7.88 sends the preface of HTTP/2 once it knows of it, so the request is
    // aborted.
    guard curl_easy_perform(easy) == CURLE_ABORTED_BY_CALLBACK, let picked = choice.picked else { return }
    self = picked == "h2" ? .http2 : .http1
  }

  /// The protocol that the server picked; empty for none.
  fileprivate final class Choice {
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

/// Called when the connection is open and its handshake is done.
private func recordProtocol(
  _ user: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ remotePort: CInt, _ localPort: CInt
) -> CInt {
  if let user { Unmanaged<Negotiation.Choice>.fromOpaque(user).takeUnretainedValue().read() }
  return CURL_PREREQFUNC_ABORT
}

/// The time of day of a target, from the `Date` header of its responses (RFC 9110 §6.6.1).
package enum TargetClock {
  private static let requests = 10
  /// The pause between two requests, in microseconds: not a simple fraction of a second, so that the requests cover all
  /// parts of it.
  private static let pause: useconds_t = 137_000
  private static let patience = Duration.seconds(2)
  private static let longest = 16_384

  /// Requests the target's root without a body and without credentials, ten times over a second and a half; blocks.
  ///
  /// - Returns: nil if no response has a date, or the dates contradict each other.
  package static func bound(_ origin: Origin, _ options: TransportOptions) -> ClockBound? {
    _ = LibcurlVersion.prepare
    guard let easy = curl_easy_init() else { return nil }
    defer { curl_easy_cleanup(easy) }
    options.setReach(easy, to: origin)
    curl_set_text(easy, CURLOPT_URL, origin.text + "/")
    curl_set_long(easy, CURLOPT_NOBODY, 1)
    curl_set_long(easy, CURLOPT_TIMEOUT_MS, patience.milliseconds)
    var bounds = DateBounds()
    for number in 0..<requests {
      if number > 0 { usleep(pause) }
      guard request(easy, &bounds) else { break }
    }
    return bounds.bound
  }

  /// False without a response, or without a date in it.
  private static func request(_ easy: UnsafeMutableRawPointer, _ bounds: inout DateBounds) -> Bool {
    guard let file = tmpfile() else { return false }
    defer { fclose(file) }
    // libcurl writes the header lines into it with fwrite.
    curl_set_pointer(easy, CURLOPT_HEADERDATA, file)
    let sent = Double(WallClock.nanoseconds()) / 1e9
    guard curl_easy_perform(easy) == CURLE_OK else { return false }
    let received = Double(WallClock.nanoseconds()) / 1e9
    rewind(file)
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = fread(&bytes, 1, bytes.count, file)
    let lines = String(decoding: bytes.prefix(count), as: UTF8.self).textLines
    guard let line = lines.last(where: { $0.lowercased().hasPrefix("date:") }),
      let date = HTTPDate.seconds(String(line.dropFirst(5).drop { $0 == " " }))
    else { return false }
    bounds.add(date: date, sent: sent, answered: received)
    return true
  }
}
