import Foundation
import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import MurphySchema
import Synchronization

/// The writes of the trial run, as its sessions send them.
final class WriteLog: Sendable {
  private let log = Mutex(SentWrites())
  /// POST operations of collections: their responses may name the created item.
  private let creations: Set<String>

  init(_ contract: Contract) {
    let shapes = contract.operations.map { PathShape($0.path) }
    let items = Set(shapes.filter(\.isItem).map { Array($0.segments.dropLast()) })
    creations = Set(
      contract.operations.indices.filter { items.contains(shapes[$0].segments) }.map { contract.operations[$0].id })
  }

  var writes: SentWrites { log.withLock { $0 } }

  /// - Parameter event: its strings are masked.
  func record(_ event: SessionTrace.Event) {
    guard case .exchanged(let traced) = event, !WriteRule.isSafe(traced.exchange.method) else { return }
    let exchange = traced.exchange
    let write = SentWrites.Write(
      operation: traced.operation, method: exchange.method,
      path: URLComponents(string: exchange.url)?.percentEncodedPath ?? "", status: exchange.status ?? 0,
      item: exchange.method == "POST" ? item(exchange, of: traced.operation) : nil)
    log.withLock { $0.recordWrite(write) }
  }

  /// The identifier of the item that a request created; nil if its response names none.
  private func item(_ exchange: Exchange, of operation: String) -> String? {
    guard let status = exchange.status, (200..<300).contains(status) else { return nil }
    let location = exchange.responseHeaders.first { $0.name.lowercased() == "location" }?.value
    let located = location?.prefix { $0 != "?" }.split(separator: "/").last.map(String.init)
    guard status == 201 || creations.contains(operation) else { return located }
    let body = exchange.responseBody.flatMap { try? JSONValue.parse(Array($0.utf8)) }
    for name in ["id", "uuid", "key", "slug", "name"] {
      if let value = body?[name] ?? body?["data"]?[name], value.string != nil || value.int != nil {
        return value.string ?? value.text
      }
    }
    return located
  }
}
