import CZlib
import Foundation
import MurphyModel

/// Writes HTTP/1.1 requests (RFC 9112 §3) for one origin.
struct RequestText {
  let basePath: String
  /// The headers of every request that does not set them itself.
  let defaults: [HeaderField]
  /// The same in the format of the wire.
  private let common: [UInt8]
  private let encodings: String

  init(origin: Origin, options: TransportOptions) {
    basePath = origin.basePath
    var fields = [
      HeaderField("Host", origin.authority), HeaderField("User-Agent", options.userAgent), HeaderField("Accept", "*/*"),
    ]
    encodings = options.codings ?? ""
    if options.compression { fields.append(HeaderField("Accept-Encoding", encodings)) }
    if let credentials = origin.credentials {
      let decoded = PercentEncoding.bytes(credentials)
      fields.append(HeaderField("Authorization", "Basic " + Data(decoded).base64EncodedString()))
    }
    defaults = fields
    common = fields.flatMap { Array("\($0.name): \($0.safeValue)\r\n".utf8) }
  }

  /// Returns true if the target can follow the origin's URL: no space, no control character, and nothing that changes
  /// the host of the URL, such as `@other.example`.
  static func canSend(_ target: String) -> Bool {
    var target = target
    return target.withUTF8 { bytes in
      guard let first = bytes.first else { return true }
      return (first == 0x2F || first == 0x3F) && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
  }

  static let unsendable = TransportError.other(
    code: 3, "the request target must begin with a slash, and must not contain a space or a control character")

  /// The content codings that a request accepts.
  func acceptEncoding(of request: HTTPRequest) -> String {
    request.headers.first { $0.name.isHeader("accept-encoding") }?.value ?? encodings
  }

  /// - Returns: the offset at which further headers can be inserted.
  func write(_ request: HTTPRequest, cookies: String?, into text: inout GrowingBytes) -> Int {
    text.truncate(to: 0)
    text.append(request.method)
    text.append(" ")
    if !basePath.isEmpty { text.append(basePath) }
    text.append(request.target.isEmpty && basePath.isEmpty ? "/" : request.target)
    text.append(" HTTP/1.1\r\n")
    writeDefaults(request.headers, into: &text)
    // First the cookies of the request in their order, then those that the target set (RFC 6265 §5.4: one header).
    var crumbs: String?
    for field in request.headers {
      if field.name.isHeader("cookie") {
        crumbs = crumbs.map { "\($0); \(field.value)" } ?? field.value
      } else {
        write(field, into: &text)
      }
    }
    if let cookies { crumbs = crumbs.map { "\($0); \(cookies)" } ?? cookies }
    if let crumbs { write(HeaderField("Cookie", crumbs), into: &text) }
    if let body = request.body {
      write(HeaderField("Content-Length", String(body.count)), into: &text)
    } else if request.method == "POST" || request.method == "PUT" || request.method == "PATCH" {
      // RFC 9110 §8.6 requires it for methods that expect content.
      text.append("Content-Length: 0\r\n")
    }
    let end = text.count
    text.append("\r\n")
    request.body?.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { text.append(start, count: bytes.count) }
    }
    return end
  }

  private func writeDefaults(_ own: [HeaderField], into text: inout GrowingBytes) {
    let overridden = own.contains { field in
      field.name.isHeader("accept") || field.name.isHeader("host") || field.name.isHeader("user-agent")
        || field.name.isHeader("accept-encoding") || field.name.isHeader("authorization")
    }
    if overridden {
      for field in defaults where !own.contains(where: { $0.name.lowercased() == field.name.lowercased() }) {
        write(field, into: &text)
      }
    } else {
      common.withUnsafeBytes { bytes in if let start = bytes.baseAddress { text.append(start, count: bytes.count) } }
    }
  }

  private func write(_ field: HeaderField, into text: inout GrowingBytes) {
    text.append(field.name)
    text.append(": ")
    text.append(field.safeValue)
    text.append("\r\n")
  }
}

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
