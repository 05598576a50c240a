import MurphyModel

/// Latency over time as a heat map: where the answers lay, second by second.
struct LatencyHeat {
  let result: RunResult

  var markup: Markup {
    let cells = Self.cells(result.timeline, atMost: 120)
    guard !cells.isEmpty else { return .nothing }
    let chart = Chart(
      id: "heat", title: "Latency of all operations over time, as a heat map",
      description: "Darker where more answers had that latency. The numbers are in the table of the section above.",
      x: .time(to: max(result.run.duration, Double(result.timeline.count))),
      y: .latency(cells.flatMap { [$0.y.lowerBound, $0.y.upperBound] }), marks: [HeatMark(cells)])
    return element(.figure, .class("heatmap")) {
      chart.responsive(height: 230)
      element(.figcaption) {
        "All operations: each cell is a span of latency in a step of time. "
        element(.span, .class("scale"), .decorative) {
          "few "
          for step in 0..<HeatMark.steps { element(.i, .class("h\(step)")) }
          " many"
        }
      }
    }
  }

  /// The buckets of the timeline as rectangles; a bucket begins where the next lower one ends.
  static func cells(_ timeline: [TimelinePoint], atMost limit: Int) -> [HeatMark.Cell] {
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
        HeatMark.Cell(
          x: from...min(from + Double(width), Double(last)), y: (floors[bound] ?? bound / 2)...bound, weight: weight)
      }
    }
  }

  /// Where each bucket begins: at the bound below it, but no bucket is taller than the narrowest ratio suggests.
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
