import CLibcurl
import MurphyModel

extension TransportOptions {
  /// Sets how an easy handle reaches a target: names, proxy, TLS and limits, the same for requests and handshakes.
  func setReach(_ easy: UnsafeMutableRawPointer, to origin: Origin) {
    curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, connectTimeout.milliseconds)
    // Each user shakes hands by itself: the TLS session of one must not shorten another's handshake.
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

  /// Whether requests go to a proxy: the option's, or else the environment's.
  func hasProxy(to origin: Origin) -> Bool {
    proxy.map { !$0.isEmpty } ?? ProxyEnvironment.names(proxyFor: origin.scheme)
  }

  /// The local address that an easy handle sends from; nil for the system's choice.
  static func setSource(_ easy: UnsafeMutableRawPointer, _ address: String?) {
    curl_set_text(easy, CURLOPT_INTERFACE, address.map { "host!" + $0 })
  }
}
