import Foundation
import MurphyModel
import MurphyScenario
import Synchronization

/// What a proxy has seen, in bounded memory; from any thread.
package final class RecordedSession: Sendable {
  /// What was seen so far.
  package struct Content: Sendable {
    /// The target's URL, without credentials.
    package let origin: String
    /// In the order in which they ended.
    package fileprivate(set) var exchanges: [RecordedExchange] = []
    /// Exchanges for which there was no room.
    package fileprivate(set) var dropped = 0
    /// What the proxy does not hand on, by name, and how often it was asked for.
    package fileprivate(set) var refused: [String: Int] = [:]
    fileprivate var bytes = 0
  }

  private let watch: @Sendable (RecordedExchange) -> Void
  private let state: Mutex<Content>

  private static let mostExchanges = 20_000
  /// Of all bodies together.
  private static let mostBytes = 256 << 20

  init(origin: String, watch: @escaping @Sendable (RecordedExchange) -> Void) {
    state = Mutex(Content(origin: origin))
    self.watch = watch
  }

  package var content: Content { state.withLock { $0 } }

  func note(_ exchange: RecordedExchange) {
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

/// A request that went through the proxy, with what the target answered.
package struct RecordedExchange: Sendable {
  package var began: Date
  /// From the send to the last byte of the answer.
  package var took: Duration
  package var method: String
  /// Path and query, without the target's base path.
  package var target: String
  package var requestHeaders: [HeaderField]
  package var requestBody: RecordedBody
  /// 0 where the target did not answer.
  package var status: Int
  package var responseHeaders: [HeaderField]
  package var responseBody: RecordedBody
  /// Why there is no answer.
  package var failure: String?

  /// `GET /laws 200 12 ms`: for a person who watches. Without the query, which may hold a secret.
  package var line: String {
    let path = ArchiveMask.shown(path: String(target.prefix { $0 != "?" }))
    let end = failure ?? "\(status) \(took.text)"
    return "\(method) \(path) \(end)"
  }
}
