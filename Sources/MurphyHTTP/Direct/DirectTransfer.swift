import MurphyModel

/// A transfer over a socket of murphy itself: without a proxy.
final class DirectTransfer: Transfer {
  /// The TCP connection that carries it; nil if it is not in flight. A weak reference would make each retain of the
  /// connection slower.
  var link: Link?
  private(set) var request = HTTPRequest(method: "GET", target: "/")
  /// Its state as a stream of HTTP/2.
  var exchange = H2Exchange()

  func prepare(_ request: HTTPRequest) {
    self.request = request
    timeout = request.timeout ?? transport.options.timeout
  }

  override func withdraw() {
    link?.abort(self)
    link = nil
  }

  override func readStream() {
    guard let stream else { return }
    stream.read(&body)
    bytesReceived = stream.bytes
  }

  override func leaveStream() { link?.leaveStream(self) }

  override func recycle() { transport.reclaim(self) }

  /// A connection was opened for it. `connect` is the time for the TCP handshake in nanoseconds; nil without TLS.
  func opened(connect: Int64?, at now: Instant) {
    let took = now - lastSent
    let first = min(connect ?? took, took)
    opening = (first, connect == nil ? nil : took - first)
    ready = now
  }

  /// An attempt was lost: another one begins.
  func sendAgain(after attempt: LostAttempt) {
    repeats.append(attempt)
    firstRead = nil
    lastSent = .now
  }

  /// The response is complete, or there is none. It may be in several layers of content codings.
  func complete(_ ending: Ending, layers: Int, at now: Instant) {
    link = nil
    bytesReceived = body.count
    var ending = ending
    if case .answered = ending, layers > 0, !transport.options.keepsCodings,
      !decode(layers: layers, limit: transport.options.bodyLimit.bytes)
    {
      ending = .failed(.broken(.coding))
    }
    end(ending, at: now)
  }

  /// Decodes the body's content codings; false if the body is not in them. Nothing is kept of a stream in a coding.
  private func decode(layers: Int, limit: Int) -> Bool {
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
