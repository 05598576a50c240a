import Foundation
import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import MurphySchema
import Synchronization

/// Records the requests that the calm run's sessions send: the writes, and the start of each operation's first error.
final class CalmLog: Sendable {
  private let log = Mutex(SentWrites())
  private let errors = Mutex<[String: String]>([:])
  /// POST operations of collections: their responses may name the created item.
  private let creations: Set<String>

  init(_ contract: Contract) {
    let shapes = contract.operations.map { PathShape($0.path) }
    let items = Set(shapes.filter(\.isItem).map { Array($0.segments.dropLast()) })
    creations = Set(
      contract.operations.indices.filter { items.contains(shapes[$0].segments) }.map { contract.operations[$0].id })
  }

  var writes: SentWrites { log.withLock { $0 } }
  /// By operationId: the start of the body of the first response with an error status.
  var excerpts: [String: String] { errors.withLock { $0 } }

  /// - Parameter event: its strings are masked.
  func record(_ event: SessionTrace.Event) {
    guard case .exchanged(let traced) = event else { return }
    let exchange = traced.exchange
    if let status = exchange.status, status >= 400, let text = exchange.responseBody.map(Self.excerpt), !text.isEmpty {
      errors.withLock { errors in
        if errors[traced.operation] == nil { errors[traced.operation] = text }
      }
    }
    guard !WriteRule.isSafe(exchange.method) else { return }
    let write = SentWrites.Write(
      operation: traced.operation, method: exchange.method,
      path: URLComponents(string: exchange.url)?.percentEncodedPath ?? "", status: exchange.status ?? 0,
      item: exchange.method == "POST" ? item(exchange, of: traced.operation) : nil)
    log.withLock { $0.recordWrite(write) }
  }

  /// The start of a body on one line.
  private static func excerpt(_ body: String) -> String {
    body.split(whereSeparator: \.isWhitespace).joined(separator: " ").shortened(to: 119)
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
