import CLibcurl
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
  /// Murphy reads and writes HTTP/1.1 itself; otherwise libcurl carries that too, at twice the cost.
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
