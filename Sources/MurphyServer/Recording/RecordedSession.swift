import Foundation
import MurphyHTTP
import MurphyModel
import MurphyScenario
import Synchronization

/// The exchanges that a proxy has recorded, in bounded memory; usable from any thread.
package final class RecordedSession: Sendable {
  /// The recorded content so far.
  package struct Content: Sendable {
    /// The target's URL, without credentials.
    package let origin: String
    /// In the order in which they ended.
    package fileprivate(set) var exchanges: [RecordedExchange] = []
    /// Exchanges that exceeded the memory limit.
    package fileprivate(set) var dropped = 0
    /// Features that the proxy does not forward, by name, with the number of requests for them.
    package fileprivate(set) var refused: [String: Int] = [:]
    fileprivate var bytes = 0
  }

  private let watch: @Sendable (RecordedExchange) -> Void
  private let state: Mutex<Content>

  private static let mostExchanges = 20_000
  /// The maximum of all bodies together.
  private static let mostBytes = 256 << 20

  init(origin: String, watch: @escaping @Sendable (RecordedExchange) -> Void) {
    state = Mutex(Content(origin: origin))
    self.watch = watch
  }

  /// A copy of what was recorded so far.
  package var content: Content { state.withLock { $0 } }

  func record(_ exchange: RecordedExchange) {
    state.withLock { state in
      let bytes = [exchange.requestBody, exchange.responseBody].reduce(0) { $0 + ($1.text?.utf8.count ?? 0) }
      guard state.exchanges.count < Self.mostExchanges, state.bytes + bytes <= Self.mostBytes else {
        state.dropped += 1
        return
      }
      state.bytes += bytes
      state.exchanges.append(exchange)
    }
    watch(exchange)
  }

  /// - Parameter what: `WebSocket`
  func noteRefused(_ what: String) { state.withLock { $0.refused[what, default: 0] += 1 } }
}

/// A request through the proxy, with the target's response.
package struct RecordedExchange: Sendable {
  /// When the request arrived at the proxy.
  package var began: Date
  /// From the send to the last byte of the response.
  package var took: Duration
  package var method: String
  /// Path and query, without the target's base path.
  package var target: String
  package var requestHeaders: [HeaderField]
  /// The body as it was sent, up to the size limit.
  package var requestBody: RecordedBody
  /// 0 if the target did not respond.
  package var status: Int
  package var responseHeaders: [HeaderField]
  /// The body as it was received, up to the size limit.
  package var responseBody: RecordedBody
  /// The reason for a missing response.
  package var failure: String?

  /// `GET /laws 200 12 ms`: for the user's console. It does not contain the query, which may contain a secret.
  package var line: String {
    let path = ArchiveMask.shown(path: String(target.prefix { $0 != "?" }))
    let end = failure ?? "\(status) \(took.text)"
    return "\(method) \(path) \(end)"
  }
}

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
    if size > most.bytes { note = "only the first \(most.text) of \(ByteCount(size).text) are recorded" }
  }
}
