import Foundation
import MurphyModel

/// Latency over the share of requests that were at least as fast, as HdrHistogram draws it.
///
///     x = log₁₀ 1/(1 − q), so that 90%, 99% and 99.9% are equally far apart
package struct PercentileCurve {
  package let operation: OperationResult
  package let index: Int
  package let y: Axis

  package init(operation: OperationResult, index: Int, y: Axis) {
    self.operation = operation
    self.index = index
    self.y = y
  }

  private static let nines: [(Double, String)] = [
    (log10(2), "50%"), (1, "90%"), (2, "99%"), (3, "99.9%"), (4, "99.99%"), (5, "99.999%"),
  ]

  package var chart: Chart {
    let latency = operation.latency
    let reach = max(log10(Double(max(latency.count, 1))), 1)
    let ticks = Self.nines.filter { $0.0 <= reach }.map(\.0)
    let axis = Axis(0...reach, title: "requests at most as slow", ticks: ticks) { value in
      Self.nines.first { abs($0.0 - value) < 0.01 }?.1 ?? ""
    }
    var chart = Chart(
      id: "curve-\(index)", title: operation.operation,
      description:
        "Of the answers: p50 \(Figure.latency(latency.p50).text), p95 \(Figure.latency(latency.p95).text), "
        + "p99 \(Figure.latency(latency.p99).text), slowest \(Figure.latency(latency.max).text).",
      x: axis, y: y,
      marks: [
        LineMark(Self.points(operation.service.histogram, reach), style: "service"),
        LineMark(Self.points(latency.histogram, reach), style: "latency"),
      ])
    chart.y.title = ""
    chart.heading = [
      operation.operation, "p50 \(Figure.latency(latency.p50).text) · p99 \(Figure.latency(latency.p99).text)",
    ]
    return chart
  }

  /// One point per bucket, thinned to steps of the axis that a pixel can show.
  package static func points(_ histogram: LatencyHistogram, _ reach: Double) -> [Point?] {
    let total = Double(histogram.count)
    guard total > 0 else { return [] }
    var points: [Point] = [Point(0, Double(histogram.min) / 1e3)]
    var below = 0.0
    for bucket in histogram.buckets {
      below += Double(bucket.count)
      // The slowest request stands at 1 − 1/n, its share from above, for 100 % lies at infinity.
      let share = min(below / total, 1 - 1 / (total + 1))
      let point = Point(min(log10(1 / (1 - share)), reach), Double(bucket.value) / 1e3)
      if let last = points.last, point.x - last.x < reach / 240, points.count > 1 {
        points[points.count - 1].y = point.y
      } else {
        points.append(point)
      }
    }
    return points
  }
}
