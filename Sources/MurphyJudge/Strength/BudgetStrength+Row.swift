import MurphyModel

extension BudgetStrength {
  /// What a kept row of a percentile or a maximum was worth; nil for other rows, and where no counts by second were
  /// kept.
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
