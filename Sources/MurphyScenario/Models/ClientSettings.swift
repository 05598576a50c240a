import MurphyModel

/// How requests are sent, for every virtual user alike. Nothing is retried unless a step says so.
package struct ClientSettings: Sendable, Hashable {
  package enum HTTPVersion: String, Sendable, CaseIterable {
    /// HTTP/2 where the server offers it under TLS, else HTTP/1.1.
    case auto
    case http1 = "1.1"
    case http2 = "2"
  }

  /// From send to last byte.
  package var timeout: Duration = .seconds(30)
  package var connectTimeout: Duration = .seconds(5)
  /// Answers are cut off behind this many bytes, and counted.
  package var maxBody = ByteCount(8_000_000)
  package var http: HTTPVersion = .auto
  /// How many redirects of one request are followed, each counted; 0 follows none.
  package var redirects = 0
  /// PEM file of certificate authorities, relative to the scenario's folder; nil for the system's.
  package var certificateAuthorities: String?
  /// Certificates are not checked. Never the default.
  package var insecure = false
  /// Overrides the environment's `http_proxy` and relatives; empty for none.
  package var proxy: String?
  package var compression = true
  /// How long sessions may run on after the last arrival.
  package var grace: Duration = .seconds(10)
  /// How long the target may be silent, with requests under way or failing, before the load is ended; nil for ever.
  package var abortAfter: Duration? = .seconds(10)
  /// How long the load must have lasted before a budget that is surely lost ends it; nil for never.
  package var abortWhenLost: Duration?

  package init() {}
}
