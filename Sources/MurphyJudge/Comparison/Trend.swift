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
    let sample = ArmSample(row, sessions: 0, seconds: result.run.duration)
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
