import Foundation
import MurphyDraft
import MurphyEngine
import MurphyJSON
import MurphyModel
import Synchronization

/// The writes of a calm run, as its sessions send them.
final class WriteLog: Sendable {
  private let log = Mutex(SentWrites())

  var writes: SentWrites { log.withLock { $0 } }

  /// - Parameter event: its texts are masked.
  func note(_ event: SessionTrace.Event) {
    guard case .exchanged(let traced) = event, !WriteRule.isSafe(traced.exchange.method) else { return }
    let exchange = traced.exchange
    let write = SentWrites.Write(
      operation: traced.operation, method: exchange.method,
      path: URLComponents(string: exchange.url)?.percentEncodedPath ?? "", status: exchange.status ?? 0,
      item: exchange.method == "POST" ? Self.item(exchange) : nil)
    log.withLock { $0.note(write) }
  }

  /// The identifier of what a request created; nil where its response names none.
  private static func item(_ exchange: Exchange) -> String? {
    guard let status = exchange.status, (200..<300).contains(status) else { return nil }
    let body = exchange.responseBody.flatMap { try? JSONValue.parse(Array($0.utf8)) }
    for name in ["id", "uuid", "key", "slug", "name"] {
      if let value = body?[name] ?? body?["data"]?[name], value.string != nil || value.int != nil {
        return value.string ?? value.text
      }
    }
    let location = exchange.responseHeaders.first { $0.name.lowercased() == "location" }?.value
    return location?.prefix { $0 != "?" }.split(separator: "/").last.map(String.init)
  }
}
