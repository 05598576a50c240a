import Foundation
import MurphyModel

/// What became of an operation's requests, as a bar.
struct OutcomeBar {
  let ends: [RequestEnd]

  var markup: Markup {
    let parts = ends.filter { $0.count > 0 }
    let total = parts.reduce(0) { $0 + $1.count }
    guard total > 0 else { return .nothing }
    return element(.span, .class("outcomes"), .decorative) {
      for part in parts {
        element(.i, .class(part.style), .width(percent: max(Double(part.count) * 100 / Double(total), 0.8)))
      }
    }
  }
}

/// A histogram small enough for a table's cell; all rows share one logarithmic axis, so shapes compare.
struct LatencySpark {
  let summary: LatencySummary
  /// The axis in microseconds; nil without samples.
  let range: ClosedRange<Double>?

  private static let bins = 28
  private static let height = 26.0
  private static let width = 112.0

  static func range(of summaries: [LatencySummary]) -> ClosedRange<Double>? {
    let measured = summaries.filter { $0.count > 0 }
    guard let low = measured.map(\.min).min(), let high = measured.map(\.max).max() else { return nil }
    return max(low, 1)...max(high, low * 2, 2)
  }

  var markup: Markup {
    guard let range, summary.count > 0 else { return .text("–") }
    let counts = bins(range)
    let highest = Double(counts.max() ?? 1)
    let step = Self.width / Double(Self.bins)
    var path = ""
    for (index, count) in counts.enumerated() where count > 0 {
      // A square root keeps the tail visible next to the peak.
      let height = max(sqrt(Double(count) / highest) * Self.height, 1)
      path += "M\(Coordinate.text(Double(index) * step)) \(Coordinate.text(Self.height - height))"
      path += "h\(Coordinate.text(step - 1))v\(Coordinate.text(height))h\(Coordinate.text(1 - step))z"
    }
    return element(
      .svg, .class("spark"), Attribute("viewBox", "0 0 \(Coordinate.text(Self.width)) \(Coordinate.text(Self.height))"),
      Attribute("role", "img"),
      .label("from \(Figure.latency(summary.min).text) to \(Figure.latency(summary.max).text)")
    ) { element(.path, Attribute("d", path)) }
  }

  private func bins(_ range: ClosedRange<Double>) -> [UInt64] {
    let scale = Scale(.log, range, from: 0, to: Double(Self.bins))
    var counts = [UInt64](repeating: 0, count: Self.bins)
    for bucket in summary.histogram.buckets {
      let bin = Int(saturating: scale.position(Double(bucket.value) / 1e3))
      counts[min(bin, Self.bins - 1)] += bucket.count
    }
    return counts
  }
}
