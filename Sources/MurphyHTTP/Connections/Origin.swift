import CLibcurl
import Glibc
import MurphyModel

/// The destination of requests: scheme, host, port and the path before every target.
package struct Origin: Sendable, Hashable {
  package var scheme: String
  /// In the format of a URL: an IPv6 address is in brackets.
  package var host: String
  package var port: Int
  /// The path before every target; empty or `/v1`, without a slash at the end.
  package var basePath: String
  /// `name:password`, percent-encoded; nil if the URL has none.
  package var credentials: String?

  /// Reads an absolute `http` or `https` URL (RFC 3986).
  package init(_ url: String) throws(OriginError) {
    guard let parts = curl_url() else { throw OriginError(url: url, reason: "out of memory") }
    defer { curl_url_cleanup(parts) }
    let code = curl_url_set(parts, CURLUPART_URL, url, 0)
    guard code == CURLUE_OK else {
      throw OriginError(url: url, reason: String(cString: curl_url_strerror(code)))
    }
    func part(_ part: CURLUPart) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(parts, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else { return nil }
      defer { curl_free(text) }
      return String(cString: text)
    }
    guard let scheme = part(CURLUPART_SCHEME), scheme == "http" || scheme == "https" else {
      throw OriginError(url: url, reason: "expected a URL that begins with http:// or https://")
    }
    guard part(CURLUPART_QUERY) == nil, part(CURLUPART_FRAGMENT) == nil else {
      throw OriginError(url: url, reason: "a target has no query and no fragment")
    }
    self.scheme = scheme
    host = part(CURLUPART_HOST) ?? ""
    port = part(CURLUPART_PORT).flatMap { Int($0) } ?? (scheme == "https" ? 443 : 80)
    var path = part(CURLUPART_PATH) ?? ""
    while path.hasSuffix("/") { path.removeLast() }
    basePath = path
    credentials = part(CURLUPART_USER).map { user in user + ":" + (part(CURLUPART_PASSWORD) ?? "") }
  }

  /// The URL before every target, without credentials.
  package var text: String { "\(scheme)://\(authority)\(basePath)" }

  /// The `Host` header's value.
  package var authority: String { port == (scheme == "https" ? 443 : 80) ? host : "\(host):\(port)" }
}

/// A target URL that cannot be used.
package struct OriginError: Error, CustomStringConvertible {
  /// The URL as given; messages show it without credentials.
  package var url: String
  /// A sentence for people.
  package var reason: String

  package var description: String {
    "cannot use \"\(URLCredentials.masked(url))\" as the target: \(reason). A target looks like http://127.0.0.1:8080/v1"
  }
}

/// The proxies of the environment, read as curl reads them.
enum ProxyEnvironment {
  /// Returns true if a request with `scheme` may go through a proxy; libcurl handles `no_proxy`. The upper case of
  /// `http_proxy` is not read: the caller of a CGI script could set it.
  static func names(proxyFor scheme: String) -> Bool {
    let names = scheme == "http" ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]
    return (names + ["all_proxy", "ALL_PROXY"]).contains { name in
      guard let value = getenv(name) else { return false }
      return value.pointee != 0
    }
  }
}
