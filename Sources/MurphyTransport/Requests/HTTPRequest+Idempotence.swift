extension HTTPRequest {
  /// Whether sending it twice has the effect of sending it once (RFC 9110 §9.2.2). Only then may a client send it again
  /// on its own when a connection was closed before an answer.
  package var isIdempotent: Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY": true
    default: false
    }
  }
}
