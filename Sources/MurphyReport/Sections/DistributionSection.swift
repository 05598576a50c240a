import Foundation
import MurphyModel

/// The whole distribution of latency: a percentile curve per operation, and a heat map over time.
struct DistributionSection: ReportSection {
  static let id = "distribution"
  static let title = "Latency distribution"
  static let entry = "Distribution"

  let result: RunResult

  /// Further curves are omitted, and the report states their number.
  private static let curvesShown = 24

  var blocks: [Block] {
    let measured = result.operations.filter { $0.latency.count > 0 }
    let shown = measured.sorted { $0.latency.count > $1.latency.count }.prefix(Self.curvesShown)
    let axis = Axis.latency(
      shown.flatMap { [$0.service.min, $0.latency.min, $0.latency.max].map { max($0.inMicroseconds, 1) } })
    if !measured.isEmpty {
      Block.lead(
        "Each curve shows the latency (y, logarithmic) at each percentile (x). The dashed curve is the service time. "
          + "All charts have the same scale."
          + (result.unanswered > 0
            ? " The curves do not include \(counted(result.unanswered, "request")) without a complete response, so the "
              + "real latencies are higher."
            : ""))
      Block.multiples(
        shown.enumerated().map { PercentileCurve(operation: $1, index: $0, y: axis).chart }, Self.size)
      Block.cut(measured.count - shown.count) { "Not shown: \(counted($0, "operation")) with fewer requests." }
      LatencyHeat(result: result).blocks
    }
  }

  static let size = ChartSize(width: 320, height: 190, left: 50, right: 14, top: 40)
}

/// Latency over time as a heat map: the distribution of responses in each second.
struct LatencyHeat {
  let result: RunResult

  var blocks: [Block] {
    let cells = Self.cells(result.timeline, atMost: 120)
    if cells.isEmpty { return [] }
    let chart = Chart(
      id: "heat", title: "Latency of all operations over time, as a heat map",
      description: "A stronger colour means more responses. The data table of the section above has the numbers.",
      x: .time(to: max(result.run.duration, .saturating(seconds: Double(result.timeline.count)))),
      y: .latency(cells.flatMap { [$0.y.lowerBound, $0.y.upperBound] }), marks: [Mark.heat(cells)])
    let words =
      "Each cell is a range of latencies of all operations in a time interval. The colour shows the number of "
      + "responses: "
    let scale = element(.span, .class("scale"), .decorative) {
      "few "
      for step in 0..<HeatCell.steps { element(.i, .class("h\(step)")) }
      " many"
    }
    return [
      .panels([(chart, 230)], style: "heatmap", caption: Phrase(words, markup: .group([.text(words), scale])))
    ]
  }

  /// The buckets of the timeline as rectangles; a bucket begins where the next lower one ends.
  static func cells(_ timeline: [TimelinePoint], atMost limit: Int) -> [HeatCell] {
    let last = (timeline.map(\.second).max() ?? -1) + 1
    let width = max((last + limit - 1) / limit, 1)
    var weights: [Int: [Double: Double]] = [:]
    for point in timeline {
      for index in stride(from: 0, to: point.buckets.count - 1, by: 2) where point.buckets[index] > 0 {
        weights[point.second / width, default: [:]][point.buckets[index], default: 0] += point.buckets[index + 1]
      }
    }
    let bounds = Set(weights.values.flatMap(\.keys)).sorted()
    let floors = floors(of: bounds)
    return weights.sorted { $0.key < $1.key }.flatMap { step, buckets in
      let from = Double(step * width)
      return buckets.sorted { $0.key < $1.key }.map { bound, weight in
        HeatCell(
          x: from...min(from + Double(width), Double(last)), y: (floors[bound] ?? bound / 2)...bound, weight: weight)
      }
    }
  }

  /// The lower end of each bucket: the bound below it, but no bucket is taller than the narrowest ratio.
  private static func floors(of bounds: [Double]) -> [Double: Double] {
    let ratio = zip(bounds.dropFirst(), bounds).map { $0 / $1 }.filter { $0 > 1.01 }.min() ?? 2
    var floors: [Double: Double] = [:]
    for (index, bound) in bounds.enumerated() {
      let below = index == 0 ? bound / ratio : bounds[index - 1]
      floors[bound] = max(below, bound / (ratio * 1.05))
    }
    return floors
  }
}

/// Latency over the share of requests that were at least as fast, as HdrHistogram plots it.
///
///     x = log₁₀ 1/(1 − q), so that 90%, 99% and 99.9% are equally far apart
package struct PercentileCurve {
  let operation: OperationResult
  let index: Int
  let y: Axis

  private static let nines: [(Double, String)] = [
    (log10(2), "50%"), (1, "90%"), (2, "99%"), (3, "99.9%"), (4, "99.99%"), (5, "99.999%"),
  ]

  /// From no request to all except one in 10^reach.
  static func axis(_ reach: Double) -> Axis {
    let ticks = nines.filter { $0.0 <= reach }.map(\.0)
    return Axis(0...reach, title: "percentile", ticks: ticks) { value in
      nines.first { abs($0.0 - value) < 0.01 }?.1 ?? ""
    }
  }

  var chart: Chart {
    let latency = operation.latency
    let reach = max(log10(Double(max(latency.count, 1))), 1)
    var y = y
    y.title = ""
    return Chart(
      id: "curve-\(index)", title: operation.operation,
      description:
        "Latency of the responses: p50 \(Figure.latency(latency.p50).text), p95 \(Figure.latency(latency.p95).text), "
        + "p99 \(Figure.latency(latency.p99).text), slowest \(Figure.latency(latency.max).text).",
      x: Self.axis(reach), y: y,
      heading: [
        operation.operation, "p50 \(Figure.latency(latency.p50).text) · p99 \(Figure.latency(latency.p99).text)",
      ],
      marks: [
        Mark.line(Self.points(operation.service.histogram, reach), style: "service"),
        Mark.line(Self.points(latency.histogram, reach), style: "latency"),
      ])
  }

  /// One point per bucket, reduced to steps of the axis that a pixel can show.
  package static func points(_ histogram: LatencyHistogram, _ reach: Double) -> [Point?] {
    let total = Double(histogram.count)
    guard total > 0 else { return [] }
    var points: [Point] = [Point(0, Double(histogram.min) / 1e3)]
    var below = 0.0
    for bucket in histogram.buckets {
      below += Double(bucket.count)
      // The slowest request is at 1 − 1/n, because 100 % is at infinity.
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
