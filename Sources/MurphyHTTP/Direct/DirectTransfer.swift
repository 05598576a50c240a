import CZlib
import MurphyModel

/// Decodes `gzip` and `deflate` (RFC 9110 §8.4.1), in bounded memory.
package enum ContentDecoder {
  enum Ending { case whole, cutOff, malformed }
  /// The limit of libcurl: more nested codings are an attack.
  static let mostLayers = 5

  static func decode(_ bytes: UnsafeRawBufferPointer, into decoded: inout GrowingBytes, limit: Int) -> Ending {
    guard bytes.count > 0 else { return .whole }
    var room = min(max(bytes.count * 4, 16_384), limit)
    while true {
      var code = attempt(bytes, &decoded, room, isRaw: false)
      // Some servers send the raw deflate format without its wrapper.
      if code == Z_DATA_ERROR { code = attempt(bytes, &decoded, room, isRaw: true) }
      switch code {
      case Z_OK: return .whole
      case Z_BUF_ERROR where room < limit: room = min(room * 4, limit)
      case Z_BUF_ERROR: return .cutOff
      default: return .malformed
      }
    }
  }

  private static func attempt(
    _ bytes: UnsafeRawBufferPointer, _ decoded: inout GrowingBytes, _ room: Int, isRaw: Bool
  ) -> CInt {
    decoded.truncate(to: 0)
    var code = Z_OK
    decoded.fill(room: room) { start in
      var written = room
      code = zlib_decode(bytes.baseAddress, bytes.count, start, &written, isRaw ? 1 : 0)
      return written
    }
    return code
  }

  /// Decodes the content codings of a complete body.
  ///
  /// - Parameters:
  ///   - codings: the values of `Content-Encoding`, the first one the innermost.
  ///   - limit: the maximum size of the result in bytes.
  /// - Returns: nil for a coding other than `gzip` and `deflate`, for bytes that are not in it, and for a result over
  ///   the limit.
  package static func decoded(_ body: [UInt8], codings: [String], limit: Int) -> [UInt8]? {
    guard codings.count <= mostLayers else { return nil }
    var body = body
    for coding in codings.reversed() where coding.lowercased() != "identity" {
      guard ["gzip", "x-gzip", "deflate"].contains(coding.lowercased()) else { return nil }
      var decoded = GrowingBytes()
      guard body.withUnsafeBytes({ decode($0, into: &decoded, limit: limit) }) == .whole else { return nil }
      body = Array(decoded.bytes)
    }
    return body
  }
}

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
