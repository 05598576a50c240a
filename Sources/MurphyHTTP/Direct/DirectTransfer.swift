import MurphyModel

/// A transfer over a socket of murphy itself: HTTP/1.1 without a proxy.
final class DirectTransfer: Transfer {
  /// The TCP connection that carries it while it is in flight.
  weak var link: DirectLink?
  private(set) var request = HTTPRequest(method: "GET", target: "/")

  func prepare(_ request: HTTPRequest) {
    self.request = request
    timeout = request.timeout ?? transport.options.timeout
  }

  override func withdraw() { link?.abort() }

  override func readStream() {
    guard let stream else { return }
    stream.read(&body)
    bytesReceived = stream.bytes
  }

  override func leaveStream() { link?.leaveStream() }

  override func recycle() { transport.reclaim(self) }

  /// Decodes the body's content codings; false if the body is not in them. Nothing is kept of a stream in a coding.
  func decode(layers: Int, limit: Int) -> Bool {
    guard stream == nil else { return true }
    guard layers <= ContentDecoder.mostLayers else { return false }
    for _ in 0..<layers where !isCutOff {
      var decoded = GrowingBytes()
      switch ContentDecoder.decode(body.bytes, into: &decoded, limit: limit) {
      case .whole: break
      case .cutOff: isCutOff = true
      case .malformed: return false
      }
      swap(&body, &decoded)
    }
    return true
  }
}
