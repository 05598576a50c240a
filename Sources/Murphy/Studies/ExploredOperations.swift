import MurphyModel
import MurphyProbe

/// The operations that an exploration has called, and those that it has not.
struct ExploredOperations {
  private let rows: [ExploredOperation]
  private let called: Set<String>
  private let missed: [String: String]
  private let cut: ExploreState.Cut?
  private let skipped: [SkippedOperation]
  private let restricted: Set<String>

  /// - Parameters:
  ///   - skipped: the operations for which no request was harmless.
  ///   - restricted: the operations for which murphy uses no existing items.
  init(_ board: ExploreState, skipped: [SkippedOperation], restricted: Set<String>) {
    (rows, called, missed, cut) = (board.rows, board.called, board.missed, board.cut)
    self.restricted = restricted
    self.skipped = skipped.filter { [called] in !called.contains($0.operation) }
  }

  /// The numbers, and the reasons why operations did not succeed or were not called; empty if all succeeded.
  var sentences: [String] {
    let failed = rows.filter { called.contains($0.operation) && !$0.succeeded }
    let uncalled = rows.filter { !called.contains($0.operation) }
    guard !failed.isEmpty || !uncalled.isEmpty else { return [] }
    let all = rows.count + skipped.count
    let count = rows.count - uncalled.count
    let others =
      uncalled.map { ($0.operation, reason(uncalled: $0)) }
      + skipped.map { ($0.operation, "skipped for safety, --operation NAME allows it") }
    let rest =
      others.isEmpty
      ? "." : "; \(others.count) \(others.count == 1 ? "was" : "were") not called: \(Self.grouped(others))."
    var sentences = own(failed.map(\.operation).filter(restricted.contains))
    sentences.append(
      "\(count) of \(counted(all, "operation")) \(all == 1 ? "was" : "were") called, and \(count - failed.count) "
        + "accepted a minimal valid request" + rest)
    if !failed.isEmpty {
      sentences.append(
        "For \(counted(failed.count, "operation")), no minimal valid request succeeded, so murphy did not judge "
          + "rejections: "
          + Self.grouped(failed.map { ($0.operation, reason(failed: $0)) }) + ".")
    }
    return sentences
  }

  /// The way to test operations for which murphy creates no suitable item.
  private func own(_ operations: [String]) -> [String] {
    guard !operations.isEmpty else { return [] }
    let options = operations.map { "--operation \($0)" }.listed(4, separator: " ")
    return [
      "No request of \(operations.listed(4)) succeeded, and murphy does not use existing items for them. To allow "
        + "changes of existing items, add \(options)."
    ]
  }

  private func reason(failed row: ExploredOperation) -> String {
    if let reason = missed[row.operation] { return reason }
    if row.status > 0 { return String(row.status) }
    let others = row.statuses.map(String.init).joined(separator: ", ")
    return others.isEmpty ? "no response" : "\(others) in other requests"
  }

  private func reason(uncalled row: ExploredOperation) -> String {
    missed[row.operation] ?? cut.map { "\($0.rawValue) ended the exploration before this operation" }
      ?? "the exploration was stopped before this operation"
  }

  /// `getBook, getPage and 3 more (404); addBook (422)`, the most frequent reason first.
  private static func grouped(_ pairs: [(name: String, reason: String)]) -> String {
    let groups = Dictionary(grouping: pairs, by: \.reason)
    let order = groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    return order.map { "\($0.value.map(\.name).listed(4)) (\($0.key))" }.listed(6, separator: "; ")
  }
}
