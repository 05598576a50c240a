import Foundation
import MurphyModel

/// Creates a trend of stored results.
package enum Trend {
  /// The metrics in the chart of each operation.
  package static let metrics: [CompareMetric] = [.p50, .p95, .p99, .errors, .throughput]
  /// A smaller change of the level is not marked: 2 %, or 0.1 points.
  static func smallest(_ metric: CompareMetric) -> Double { metric.isRatio ? log1p(0.02) : 0.001 }

  /// - Parameter runs: in any order. Those of one scenario make one part, in the order of the first.
  package static func of(_ runs: [StoredComparison.Run]) -> TrendResult {
    let ordered = runs.enumerated().sorted {
      ($0.element.result.run.started, $0.offset) < ($1.element.result.run.started, $1.offset)
    }.map(\.element)
    var names: [String] = []
    for run in ordered where !names.contains(run.result.run.scenario) { names.append(run.result.run.scenario) }
    return TrendResult(names.map { name in scenario(name, ordered.filter { $0.result.run.scenario == name }) })
  }

  private static func scenario(_ name: String, _ runs: [StoredComparison.Run]) -> TrendScenario {
    let points = runs.map { run in
      let info = run.result.run
      return TrendRun(
        file: run.file, started: info.started, verdict: run.result.verdict, murphy: info.murphy, machine: info.machine,
        load: info.load.map(\.text).joined(separator: ", "),
        isSound: run.result.verdict != .invalid && !info.cutShort && info.aborted == nil && info.lost == nil
          && info.unreached == nil)
    }
    var operations: [String] = []
    for operation in runs.flatMap(\.result.operations)
    where operation.requests > 0 && !operations.contains(operation.operation) {
      operations.append(operation.operation)
    }
    return TrendScenario(
      scenario: name, runs: points,
      operations: operations.map { operation in
        TrendOperation(
          operation: operation, series: metrics.map { series(operation, $0, runs.map(\.result), points) })
      })
  }

  private static func series(
    _ operation: String, _ metric: CompareMetric, _ results: [RunResult], _ runs: [TrendRun]
  ) -> TrendSeries {
    let values = results.map { value(operation, metric, $0) }
    // Changes are detected in logarithms of positive values, where a change is a ratio.
    let places = values.indices.filter { index in
      runs[index].isSound && values[index].map { !metric.isRatio || $0 > 0 } == true
    }
    let levels = places.map { metric.isRatio ? log(values[$0] ?? 1) : values[$0] ?? 0 }
    let starts = ChangePoints(smallest: smallest(metric)).find(levels)
    let edges = [0] + starts + [levels.count]
    let changes = starts.indices.map { index -> TrendChange in
      let before = median(levels[edges[index]..<edges[index + 1]])
      let after = median(levels[edges[index + 1]..<edges[index + 2]])
      let worsening = metric.worsening(base: before, candidate: after)
      return TrendChange(
        run: places[starts[index]], before: metric.isRatio ? exp(before) : before,
        after: metric.isRatio ? exp(after) : after, change: metric.isRatio ? expm1(worsening) : worsening)
    }
    return TrendSeries(
      metric: metric, values: values,
      budget: results.reversed().lazy.compactMap { budget(operation, metric, $0) }.first,
      changes: changes)
  }

  /// As in the report of the run: plain percentiles, over responses and over requests that waited without one.
  private static func value(_ operation: String, _ metric: CompareMetric, _ result: RunResult) -> Double? {
    guard let row = result.operations.first(where: { $0.operation == operation }), row.requests > 0 else { return nil }
    let sample = ArmSample(row, sessions: 0, over: result.run.duration)
    if let quantile = metric.quantile {
      guard sample.requests >= metric.fewestRequests else { return nil }
      return sample.percentile(quantile)
    }
    return sample.level(metric).map { metric.value(level: $0) }
  }

  private static func budget(_ operation: String, _ metric: CompareMetric, _ result: RunResult) -> Double? {
    let rows = result.budgets.filter { row in
      switch (row.metric, metric) {
      case (.latency(50), .p50), (.latency(95), .p95), (.latency(99), .p99), (.errors, .errors),
        (.throughput, .throughput):
        true
      default: false
      }
    }
    return (rows.first { $0.operation == operation } ?? rows.first { $0.operation == "*" })?.limit.value
  }

  private static func median(_ values: ArraySlice<Double>) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}

extension ArmSample {
  /// The smallest latency that a share of all requests do not exceed, microseconds; nil without any.
  package func percentile(_ share: Double) -> Double? {
    let count = latencies.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    let rank = UInt64(saturating: Swift.max((share * Double(count)).rounded(.up), 1))
    var below: UInt64 = 0
    for bucket in latencies {
      below += bucket.count
      if below >= rank { return Double(bucket.value) / 1000 }
    }
    return nil
  }
}

/// The results of the operations of scenarios over many runs.
package struct TrendResult: Sendable, Codable {
  /// The format and its version, as a reader of the file checks it.
  package static let currentFormat = "murphy-trend/1"

  /// The format and version of the file.
  package var format = TrendResult.currentFormat
  /// One part for each scenario.
  package var scenarios: [TrendScenario]
  /// Files of folders that are not readable results, with the reasons; nil if there are none.
  package var unreadable: [LeftOutResults.File]?

  package init(_ scenarios: [TrendScenario]) { self.scenarios = scenarios }
}

/// All runs of one scenario, the earliest first.
package struct TrendScenario: Sendable, Codable {
  /// The name of the scenario.
  package var scenario: String
  /// The runs in the order of their start.
  package var runs: [TrendRun]
  /// The operations that any run called.
  package var operations: [TrendOperation]
}

/// A run as a point of time.
package struct TrendRun: Sendable, Codable, Hashable {
  /// The path of the result.
  package var file: String
  /// RFC 3339, UTC.
  package var started: String
  /// The verdict of the run.
  package var verdict: Verdict
  /// The version of murphy.
  package var murphy: String
  /// System, cores and memory.
  package var machine: String
  /// The stages of the load, as text.
  package var load: String
  /// True if its numbers measure the API: false for a run that was INVALID, cut short or cancelled. Such a run is in
  /// the chart, but is excluded from the search for changes.
  package var isSound: Bool
}

/// One operation over all runs.
package struct TrendOperation: Sendable, Codable {
  /// The operationId.
  package var operation: String
  /// One series for each metric.
  package var series: [TrendSeries]

  /// The series of a metric.
  package subscript(metric: CompareMetric) -> TrendSeries? { series.first { $0.metric == metric } }
}

/// One metric of an operation.
package struct TrendSeries: Sendable, Codable {
  /// The metric of the series.
  package var metric: CompareMetric
  /// By run: microseconds, a share or responses per second; nil where the run has too few requests.
  package var values: [Double?]
  /// The limit of the last run with a budget on it, in the unit of the values.
  package var budget: Double?
  /// In order of time; empty without a change.
  package var changes: [TrendChange]
}

/// A new level.
package struct TrendChange: Sendable, Codable, Hashable {
  /// The first run of the new level, from 0.
  package var run: Int
  /// The medians of the previous level's runs, and of the new level's.
  package var before: Double
  /// The median of the new level's runs.
  package var after: Double
  /// Positive where it became worse: a ratio less one, or a difference of shares.
  package var change: Double
}

/// Finds the changes of level in a complete series of measurements.
///
/// Binary segmentation: the split with the largest studentised difference of means counts when it exceeds all but 1 %
/// of random orders of the same values. (A permutation test of the maximum over all splits, as in E-divisive, Matteson
/// and James 2014.) Then both parts are searched in the same way. It assumes that without a change every order of the
/// runs was equally likely: it reports a machine that drifts as a change.
package struct ChangePoints: Sendable {
  /// The minimum of runs for a split that is so unlikely: of ten runs, 120 choices of three leave one in 120 by chance.
  package static let fewest = 10

  /// The permitted share of series without a change in which one is found.
  package var alarm = 0.01
  /// The minimum of runs in a level.
  package var shortest = 3
  /// Smaller differences of means are not marked.
  package var smallest = 0.0

  /// The number of orders that are tried. If at most one of them is as extreme as the series, a split counts at 1 %.
  private static let orders = 399

  package init(smallest: Double = 0) { self.smallest = smallest }

  /// - Parameter values: in the order of time.
  /// - Returns: the index of the first value of each new level, ascending.
  package func find(_ values: [Double]) -> [Int] {
    var found: [Int] = []
    search(values, values.indices, &found)
    return found.sorted()
  }

  private func search(_ values: [Double], _ range: Range<Int>, _ found: inout [Int]) {
    let part = Array(values[range])
    guard let split = Self.largest(part, shortest: shortest) else { return }
    let step = part[split.index...].mean - part[..<split.index].mean
    guard step.magnitude > max(smallest, 0), isUnlikely(split.statistic, part) else { return }
    found.append(range.lowerBound + split.index)
    search(values, range.lowerBound..<range.lowerBound + split.index, &found)
    search(values, range.lowerBound + split.index..<range.upperBound, &found)
  }

  private func isUnlikely(_ statistic: Double, _ values: [Double]) -> Bool {
    // The same series always gives the same result.
    var random = RandomSource(seed: UInt64(values.count), stream: 7)
    var shuffled = values
    let allowed = Int(alarm * Double(Self.orders + 1)) - 1
    var extreme = 0
    for _ in 0..<Self.orders {
      shuffled.shuffle(using: &random)
      // Equal arrangements differ in the last digits of their sums.
      if let other = Self.largest(shuffled, shortest: shortest), other.statistic >= statistic * (1 - 1e-9) {
        extreme += 1
        if extreme > allowed { return false }
      }
    }
    return true
  }

  /// The split whose means differ most, in standard errors of their difference.
  private static func largest(_ values: [Double], shortest: Int) -> (index: Int, statistic: Double)? {
    let count = values.count
    guard count >= 2 * shortest else { return nil }
    let (mean, squares) = (values.mean, values.squares)
    var best: (index: Int, statistic: Double)?
    var sum = 0.0
    for index in 1..<count {
      sum += values[index - 1] - mean
      guard index >= shortest, count - index >= shortest else { continue }
      let (left, right) = (Double(index), Double(count - index))
      // The part of the squares that the split explains, and the rest.
      let explained = sum * sum * (1 / left + 1 / right)
      let rest = max(squares - explained, squares * 1e-12)
      let statistic = rest > 0 ? explained / rest : 0
      if statistic > best?.statistic ?? 0 { best = (index, statistic) }
    }
    return best
  }
}
