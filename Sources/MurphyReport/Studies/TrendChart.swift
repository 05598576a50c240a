import Foundation
import MurphyJudge
import MurphyModel

/// One metric of one operation over all runs.
struct TrendChart {
  let scenario: TrendScenario
  let operation: String
  let series: TrendSeries

  static let size = ChartSize(width: 320, height: 180, left: 56, right: 14, top: 40)

  func chart(id: String) -> Chart {
    let metric = series.metric
    let known = series.values.compactMap { $0 }
    let budget = series.budget.flatMap { isNear($0, known) ? $0 : nil }
    let last = known.last.map(metric.valueText) ?? "–"
    let bound = series.budget.map { " · budget \(metric.valueText($0))" } ?? ""
    return Chart(
      id: id, title: "\(operation), \(metric.words), over \(series.values.count) runs",
      description: description, x: .ordinal(series.values.count, title: "run"),
      y: axis(known + [budget].compactMap(\.self)), heading: [metric.title, "last \(last)\(bound)"],
      marks: marks(budget))
  }

  private var description: String {
    let metric = series.metric
    let known = series.values.compactMap { $0 }
    guard let first = known.first, let last = known.last else { return "No run measured this metric." }
    let changes = series.changes.map {
      "From run \($0.run + 1) on \(metric.valueText($0.after)) instead of \(metric.valueText($0.before))."
    }
    return "From \(metric.valueText(first)) to \(metric.valueText(last)). " + changes.joined(separator: " ")
  }

  /// A budget far above all values would compress the chart; then only the heading states it.
  private func isNear(_ budget: Double, _ values: [Double]) -> Bool {
    guard let high = values.max() else { return false }
    return budget <= high * 3
  }

  private func axis(_ values: [Double]) -> Axis {
    let metric = series.metric
    let (low, high) = (values.min() ?? 0, values.max() ?? 1)
    let from = metric.isRatio && low > 0.6 * high ? low - (high - low) * 0.15 - low * 0.02 : 0
    let to = high + max((high - from) * 0.08, high * 0.01)
    return Axis(from...max(to, from + (metric.isRatio ? 1e-3 : 0.001)), title: "") { metric.valueText($0) }
  }

  private func marks(_ budget: Double?) -> [Mark] {
    let runs = scenario.runs
    var sound: [Point] = []
    var failed: [Point] = []
    var unsound: [Point] = []
    for (index, value) in series.values.enumerated() {
      guard let value else { continue }
      let point = Point(Double(index + 1), value)
      if !runs[index].isSound {
        unsound.append(point)
      } else if runs[index].verdict == .fail {
        failed.append(point)
      } else {
        sound.append(point)
      }
    }
    let other = runs.indices.dropFirst().filter { index in
      (runs[index].machine, runs[index].load, runs[index].murphy)
        != (runs[index - 1].machine, runs[index - 1].load, runs[index - 1].murphy)
    }
    return other.map { Mark.rule(x: Double($0) + 0.5, style: "other") }
      + series.changes.map { change in
        Mark.rule(
          x: Double(change.run) + 0.5, style: change.change > 0 ? "limit" : "better",
          label: series.metric.text(series.metric.isRatio ? log1p(max(change.change, -0.999)) : change.change))
      }
      + (budget.map { [Mark.rule(y: $0, style: "limit")] } ?? [])
      + levels + [
        Mark.scatter(sound, style: "p50", radius: 2.6), Mark.scatter(failed, style: "broken", radius: 4.2),
        Mark.scatter(unsound, style: "max", radius: 3, ring: true),
      ]
  }

  /// The median of each level as a line over its runs.
  private var levels: [Mark] {
    guard let first = series.changes.first else { return [] }
    let count = series.values.count
    let starts = [0] + series.changes.map(\.run)
    let heights = [first.before] + series.changes.map(\.after)
    return starts.indices.map { index in
      let end = index + 1 < starts.count ? starts[index + 1] : count
      return Mark.line(
        [Point(Double(starts[index]) + 0.5, heights[index]), Point(Double(end) + 0.5, heights[index])], style: "p50")
    }
  }
}
