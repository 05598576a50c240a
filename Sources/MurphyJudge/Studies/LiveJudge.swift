import Foundation
import MurphyModel

/// Judges a live comparison: a pure function of its groups.
package struct LiveJudge: Sendable {
  /// The decisions that the comparison must make.
  package var promise: ComparePromise
  /// The operations that both arms should call.
  package var operations: [String]

  package init(_ promise: ComparePromise, operations: [String]) {
    self.promise = promise
    self.operations = operations
  }

  /// The decisions of one evaluation on every series that decides.
  package func decide(_ groups: [GroupSample], at look: Look) -> LookDecision {
    decide(groups, deciding(groups), at: look)
  }

  private func deciding(_ groups: [GroupSample]) -> [MetricSeries] {
    MetricSeries.all(groups, operations: operations, metrics: promise.metrics)
  }

  private func decide(_ groups: [GroupSample], _ deciding: [MetricSeries], at look: Look) -> LookDecision {
    let tested = deciding.filter { $0.gap == nil }
    let suspects = tested.indices.filter { tested[$0].mean >= promise.floor(tested[$0].metric) }
    // The corrected p-value is never below the plain one, which is faster to compute.
    let isOpen = suspects.contains { PermutationTest.pValue(tested[$0].worsenings) <= look.alarm }
    let corrected = isOpen ? correctedPValues(groups, tested) : []
    let slower = isOpen ? Set(suspects.filter { corrected[$0] <= look.alarm }) : []
    let rows = tested.indices.map { index -> (MetricSeries, RowVerdict) in
      if slower.contains(index) { return (tested[index], .fail) }
      return (tested[index], keepsMargin(tested[index], at: look) ? .pass : .noData)
    }
    let verdicts = rows.map(\.1) + deciding.filter { $0.gap != nil }.map { _ in .noData }
    let isKept = !verdicts.isEmpty && verdicts.allSatisfy { $0 == .pass }
    return LookDecision(
      groups: groups.count, verdict: verdicts.contains(.fail) ? .fail : isKept ? .pass : .noData,
      rows: Dictionary(rows.map { (LookDecision.Key($0.0), $0.1) }) { first, _ in first })
  }

  /// Over all metrics and all evaluations so far.
  private func correctedPValues(_ groups: [GroupSample], _ tested: [MetricSeries]) -> [Double] {
    var looks = FlipLooks()
    for look in Look.usual where look.groups < groups.count {
      let earlier = deciding(Array(groups.prefix(look.groups))).filter { $0.gap == nil }
      _ = looks.pValues(earlier.map(\.worsenings), spending: look.alarm)
    }
    return looks.pValues(tested.map(\.worsenings))
  }

  /// True if a slowdown of the whole margin is ruled out: the flip test of margin − y.
  private func keepsMargin(_ series: MetricSeries, at look: Look) -> Bool {
    let margin = series.metric.difference
    // Without an error in n requests a share of 3/n is still possible (95 %).
    if series.metric == .errors, Double(series.requests) * margin < 3 { return false }
    guard series.mean < margin else { return false }
    return PermutationTest.pValue(series.worsenings.map { margin - $0 }) <= look.pass
  }

  /// Every row with its numbers; `look` is nil where there were too few groups for any evaluation.
  package func operationRows(_ groups: [GroupSample], at look: Look?) -> [CompareOperation] {
    let all = MetricSeries.all(groups, operations: operations)
    let deciding = all.filter { promise.metrics.contains($0.metric) }
    let decision = look.map { decide(groups, deciding, at: $0) }
    let tested = deciding.filter { $0.gap == nil }
    let corrected = correctedPValues(groups, tested)
    var pValues: [LookDecision.Key: Double] = [:]
    for (series, value) in zip(tested, corrected) { pValues[LookDecision.Key(series)] = value }
    return operations.map { operation in
      let rows = all.filter { $0.operation == operation }.map { series in
        row(series, decision, corrected: pValues[LookDecision.Key(series)], alarm: look?.alarm)
      }
      return CompareOperation(
        operation: operation, rows: rows,
        latencies: CompareLatencies(
          base: groups.compactMap { $0.base[operation] }, candidate: groups.compactMap { $0.candidate[operation] }))
    }
  }

  private func row(
    _ series: MetricSeries, _ decision: LookDecision?, corrected: Double?, alarm: Double?
  ) -> CompareRow {
    let metric = series.metric
    var row = CompareRow(metric: metric, decides: promise.metrics.contains(metric))
    row.requests = series.requests
    row.margin = metric.margin
    row.floor = metric.isRatio ? expm1(promise.floor(metric)) : promise.floor(metric)
    guard series.gap == nil else {
      row.gap = series.gap
      row.decide(.noData)
      return row
    }
    let count = Double(series.levels.count)
    row.base = metric.value(level: series.levels.reduce(0) { $0 + $1.base } / count)
    row.candidate = metric.value(level: series.levels.reduce(0) { $0 + $1.candidate } / count)
    row.differences = series.worsenings
    row.enter(mean: series.mean, interval: PermutationTest.interval(series.worsenings, alpha: 0.05))
    row.pValue = PermutationTest.pValue(series.worsenings)
    row.correctedPValue = corrected
    row.enter(smallest: smallestEffect(series, alarm: alarm ?? 0.01))
    row.decide(decision?.rows[LookDecision.Key(series)] ?? .noData)
    return row
  }

  /// The slowdown that would have been detected with 95 %: (t₁₋α + t₀.₉₅)·s/√G, at least the floor and 1.65 s/√G more.
  private func smallestEffect(_ series: MetricSeries, alarm: Double) -> Double? {
    let count = series.worsenings.count
    // Metrics that are only shown have no floor: bytes and requests are often equal to the digit.
    guard count > 1, CompareMetric.deciding.contains(series.metric) else { return nil }
    let (student, error) = (StudentT(freedom: count - 1), series.deviation / Double(count).squareRoot())
    return max(
      (student.quantile(1 - alarm) + student.quantile(0.95)) * error,
      promise.floor(series.metric) + student.quantile(0.95) * error)
  }
}

/// The decision of an evaluation.
package struct LookDecision: Sendable {
  /// A metric of an operation.
  package struct Key: Sendable, Hashable {
    /// The operationId.
    package var operation: String
    /// The compared metric.
    package var metric: CompareMetric

    init(_ series: MetricSeries) { (operation, metric) = (series.operation, series.metric) }
  }

  /// The number of complete groups.
  package var groups: Int
  package var verdict: Verdict
  /// The verdict on each metric at this look.
  package var rows: [Key: RowVerdict]
}

/// The times at which a comparison that grows group by group is judged, and the error that each look may spend.
///
/// More looks give more false alarms. The looks share 1 % for an alarm, which the flips themselves divide among them
/// (`FlipLooks`), and 5 % for a pass. Most of that is spent at the end, where it is most useful.
package struct Look: Sendable, Hashable {
  /// The number of groups after which it takes place.
  package var groups: Int
  /// The level for this look and those before it: a slowdown counts where its p-value is at most this.
  package var alarm: Double
  /// The margin counts as ruled out where the p-value of its test is at most this.
  package var pass: Double

  package static let usual = [
    Look(groups: 8, alarm: 0.004, pass: 0.005),
    Look(groups: 12, alarm: 0.007, pass: 0.015),
    Look(groups: 20, alarm: 0.01, pass: 0.03),
  ]

  /// The minimum of groups for any result: 2^−8 is below the first look's level.
  package static let fewest = 8
  /// The maximum of groups that are evaluated.
  package static let most = 20

  /// The look that is due with this number of groups; nil between looks.
  package static func due(at groups: Int) -> Look? { usual.first { $0.groups == groups } }

  /// The look when the time limit ends the comparison: the next look spends its level early. That is sound, because the
  /// clock is independent of the differences' signs. Nil with too few groups.
  package static func last(at groups: Int) -> Look? {
    groups < fewest ? nil : usual.first { $0.groups >= groups }
  }
}
