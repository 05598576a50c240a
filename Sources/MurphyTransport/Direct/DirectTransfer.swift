import MurphyModel

/// A transfer that goes over a socket of murphy's own: HTTP/1.1 without TLS and proxy.
final class DirectTransfer: Transfer {
  /// The TCP connection that carries it while it is in flight.
  weak var link: DirectLink?
  /// Whether it was sent again after a keep-alive connection turned out to be closed.
  var isRetried = false
  private(set) var request = HTTPRequest(method: "GET", target: "/")

  func prepare(_ request: HTTPRequest) {
    self.request = request
    isRetried = false
    timeout = request.timeout ?? transport.options.timeout
  }

  override func withdraw() { link?.abort() }

  override func recycle() { transport.reclaim(self) }

  /// Undoes the body's content coding; false when it is none.
  func decode(limit: Int) -> Bool {
    var decoded = GrowingBytes()
    switch ContentDecoder.decode(body.bytes, into: &decoded, limit: limit) {
    case .whole: break
    case .cutOff: isCutOff = true
    case .malformed: return false
    }
    swap(&body, &decoded)
    return true
  }
}
