extension HTTPRequest {
  /// Whether it asks for nothing to be changed (RFC 9110 §9.2.1).
  package var isSafe: Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY": true
    default: false
    }
  }

  /// Whether sending it twice has the effect of sending it once (RFC 9110 §9.2.2). Only then may a client send it again
  /// on its own when a connection was closed before an answer.
  package var isIdempotent: Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY": true
    default: false
    }
  }
}
