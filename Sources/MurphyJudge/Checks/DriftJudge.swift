import MurphyModel

/// Operations that are slower, or fail more often, at a higher load or from some time on (docs/drift.md).
///
/// Notes that decide nothing: a rank test with a minimum effect size, on the run's own seconds.
package enum DriftJudge: Judge {
  /// The probability of a false alarm in a whole run, before the minimum effect sizes, for independent seconds.
  private static let chance = 0.01
  /// The minimum of points on each side of the split.
  private static let least = 4
  /// Latency must grow by this factor and by this many microseconds.
  private static let factor = 1.6
  private static let microseconds = 5000.0
  /// The share of errors must grow by this much.
  private static let share = 0.01
  /// Loads that differ by less than this factor count as equal.
  private static let loadFactor = 1.25
  /// Splits by load and by time that agree on this share of the points cannot be distinguished.
  private static let agreement = 0.75

  package static func rule(on run: JudgedRun) -> JudgeResult {
    let reservations = run.record.generator.reservations ?? []
    guard !reservations.contains(where: { $0.kind.weight == .forbidsTiming }) else { return JudgeResult() }
    let countsUsers = if case .closed = run.scenario.load { true } else { false }
    return JudgeResult(findings: findings(in: run.record, countsUsers: countsUsers, besides: run.outages))
  }

  /// Seconds within an outage are left out.
  package static func findings(in record: RunRecord, countsUsers: Bool, besides outages: [Outage]) -> [Finding] {
    let source = DriftPoints(record, countsUsers: countsUsers, besides: outages)
    let candidates = record.operations.flatMap { operation in
      [Drift.Measure.latency, .errors].map { (operation.operation, $0, source.points(of: operation, $0)) }
    }.filter { $0.2.count >= 2 * least }
    // Each has two tests.
    let level = chance / Double(max(2 * candidates.count, 1))
    return candidates.compactMap { operation, measure, points in
      drift(measure, points, countsUsers: countsUsers, level: level).map {
        finding(operation, $0, started: record.info.started)
      }
    }
  }

  private static func drift(
    _ measure: Drift.Measure, _ points: [Drift.Point], countsUsers: Bool, level: Double
  ) -> Drift? {
    let inTime = split(points, measure, level)
    let byLoad = points.indices.sorted { (points[$0].load, $0) < (points[$1].load, $1) }
    let inLoad = split(byLoad.map { points[$0] }, measure, level).flatMap { split -> LevelSplit? in
      let loads = byLoad.map { points[$0].load }
      return median(loads[split.place...]) >= loadFactor * median(loads[..<split.place]) ? split : nil
    }
    guard let best = [inTime, inLoad].compactMap(\.self).max(by: { $0.weight < $1.weight }) else { return nil }
    let late = Set(inTime.map { Array($0.place..<points.count) } ?? [])
    let busy = Set(inLoad.map { byLoad[$0.place...] } ?? [])
    let apart = Double(late.symmetricDifference(busy).count)
    let isAlike = inTime != nil && inLoad != nil && apart <= (1 - agreement) * Double(points.count)
    let isByLoad = isAlike || best.weight == inLoad?.weight
    let order = isByLoad ? byLoad : Array(points.indices)
    let place = (isByLoad ? inLoad : inTime)?.place ?? 0
    let values = order.map { points[$0].value }
    let loads = order.map { points[$0].load }
    // A load that grew with the time may be its cause, even if that is not visible.
    let isAmbiguous = isAlike || !isByLoad && median(loads[place...]) >= loadFactor * median(loads[..<place])
    return Drift(
      measure: measure, axis: isByLoad ? (countsUsers ? .users : .requests) : .time,
      threshold: isByLoad ? points[order[place - 1]].load : points[place].from,
      low: median(values[..<place]), high: median(values[place...]), isAmbiguous: isAmbiguous, points: points)
  }

  /// The split of the points in their order, if it is more than chance and large enough to matter.
  private static func split(_ points: [Drift.Point], _ measure: Drift.Measure, _ level: Double) -> LevelSplit? {
    let values = points.map(\.value)
    guard let split = LevelSplit(values, least: least), split.chance < level else { return nil }
    let (low, high) = (median(values[..<split.place]), median(values[split.place...]))
    switch measure {
    case .latency: return high >= factor * low && high - low >= microseconds ? split : nil
    case .errors: return high - low >= share ? split : nil
    }
  }

  private static func median(_ values: ArraySlice<Double>) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
