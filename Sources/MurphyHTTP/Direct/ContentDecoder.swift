import CZlib

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
