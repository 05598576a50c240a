import MurphyHTTP
import MurphyModel

/// A body in a recording: decoded, and limited to a useful size.
package struct RecordedBody: Sendable {
  /// Nil for an empty body, for a body that is not text, and for one that a scenario cannot use.
  package private(set) var text: String?
  /// The media type with its parameters; empty if there is none.
  package let type: String
  /// Bytes as received on the wire.
  package let wireSize: Int
  /// Bytes without content codings.
  package private(set) var size: Int
  /// The reason why the text is incomplete or missing.
  package private(set) var note: String?

  /// JSON and forms are only useful if they are complete.
  private static let mostStructured = ByteCount(4 << 20)
  private static let mostText = ByteCount(64 << 10)
  /// Types, or prefixes of types, that no scenario uses.
  private static let assets = [
    "image/", "font/", "audio/", "video/", "text/css", "text/javascript", "application/javascript",
    "application/x-javascript", "application/wasm", "application/font", "application/octet-stream", "application/zip",
  ]

  init(_ body: [UInt8], _ headers: [HeaderField]) {
    type = ProxyFields.value("content-type", of: headers) ?? ""
    wireSize = body.count
    size = body.count
    guard !body.isEmpty else { return }
    let plain = type.lowercased()
    guard !Self.assets.contains(where: plain.hasPrefix) else {
      note = "a body of the type \(plain.prefix { $0 != ";" }) is not recorded"
      return
    }
    let codings = ProxyFields.values("content-encoding", of: headers)
    guard let decoded = ContentDecoder.decoded(body, codings: codings, limit: Forwarder.mostBody.bytes) else {
      note = "the content coding \(codings.joined(separator: ", ")) could not be decoded"
      return
    }
    size = decoded.count
    guard let whole = String(validating: decoded, as: UTF8.self) else {
      note = "the body is not UTF-8 text"
      return
    }
    let isStructured = plain.isEmpty || plain.contains("json") || plain.hasPrefix("application/x-www-form-urlencoded")
    let most = isStructured ? Self.mostStructured : Self.mostText
    text = size <= most.bytes ? whole : String(decoding: decoded.prefix(most.bytes), as: UTF8.self)
    if size > most.bytes { note = "cut after \(most.text) of \(ByteCount(size).text)" }
  }
}
