import MurphyModel

/// One request as the client wants it sent.
package struct HTTPRequest: Sendable {
  package var method: String
  /// Path and query as they go into the request line, percent-encoded: `/laws?limit=25`.
  package var target: String
  /// Beside those that the client adds itself: `Host`, `User-Agent`, `Accept`, `Accept-Encoding`, `Cookie`.
  package var headers: [HeaderField]
  package var body: [UInt8]?
  /// From the send to the last byte; nil takes the transport's.
  package var timeout: Duration?
  /// The sender's own number for it, as that of its operation; -1 for none.
  package var label = -1

  package init(
    method: String, target: String, headers: [HeaderField] = [], body: [UInt8]? = nil, timeout: Duration? = nil
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}
