import Glibc

/// The proxies that the environment names, as curl reads them.
enum ProxyEnvironment {
  /// Whether a request with `scheme` may go through a proxy; `no_proxy` is left to libcurl. The upper case
  /// of `http_proxy` is not read: a CGI script's caller could set it.
  static func names(proxyFor scheme: String) -> Bool {
    let names = scheme == "http" ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]
    return (names + ["all_proxy", "ALL_PROXY"]).contains { name in
      guard let value = getenv(name) else { return false }
      return value.pointee != 0
    }
  }
}
