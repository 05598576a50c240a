import Foundation
import MurphyModel

extension BudgetStrength {
  /// The sensitivity of a passed row on a percentile or a maximum. Nil for other rows, and where no counts by second
  /// exist.
  init?(_ row: BudgetRow, _ ladders: [LatencyLadder], limit: Duration) {
    guard row.verdict == .pass, let percentile = row.metric.percentile, let over = row.over, let maybe = row.maybe,
      row.patient == nil, let ladder = ladders.first(where: { $0.isService == row.metric.isService }),
      ladder.rows > 0
    else { return nil }
    self.init(seconds: ladder.rows * ladder.width)
    if percentile < 100 { overAtMost = upperShare(over + maybe, of: row.samples) }
    (inThisRun, likely) = SlowdownSearch(ladder, percentile: percentile, limit: limit).slowdowns()
    stall = StallSearch.shortest(ladder, percentile: percentile, limit: limit, over: over)
  }
}

extension ContractStrength {
  /// The sensitivity of an operation whose responses all conform to the contract. Nil when none was checked, one did
  /// not conform, or no request succeeded.
  ///
  /// - Parameter coverage: all coverable elements of the contract, of which the operation's are read.
  package init?(_ record: OperationRecord, coverage: [CoverageItem]) {
    let checked = record.conformance.conformant - (record.conformance.rejected ?? 0)
    guard record.isDocumented, record.succeeded > 0, checked > 0, record.conformance.violating == 0 else { return nil }
    self.init(answers: Units(checked), seconds: Units(max(record.checked.secondCount, 1)))
    let own = coverage.filter { $0.operation == record.operation }
    if record.path.contains("{") { entities = Units(max(record.checked.paths.count, 1)) }
    if record.checked.queries.count > 1 { pages = Units(record.checked.queries.count) }
    let statuses = own.filter { $0.kind == "status" }
    untestedStatuses = statuses.filter { $0.count == 0 }.map(\.name)
    // The elements of a status that was not received are reported with the status.
    let came = Set(statuses.filter { $0.count > 0 }.map(\.name))
    let missing = own.filter { item in
      item.count == 0 && ["property", "enum", "branch"].contains(item.kind)
        && came.contains(String(item.name.prefix { $0 != " " }))
    }
    unseenCount = missing.count
    unseen = missing.prefix(Self.unseenShown).map(\.name)
  }
}

extension ContractStrength.Units {
  /// - Parameter seen: above 0.
  init(_ seen: Int) { self.init(seen: seen, missed: Self.missed(seen)) }

  /// The share of units that is missed with a probability of 5 %: (1 − q)^u = 0.05.
  package static func missed(_ seen: Int) -> Double { 1 - pow(0.05, 1 / Double(seen)) }

  /// The minimum of units that detect a share of `share` with 95 %: 299 for one per cent.
  package static func needed(for share: Double) -> Int {
    guard share < 1 else { return 1 }
    return Int(saturating: (log(0.05) / log1p(-share) - 1e-9).rounded(.up))
  }
}
