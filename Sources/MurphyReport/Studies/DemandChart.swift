import MurphyJudge
import MurphyModel

/// The distribution of demand: the share of sessions that each quota satisfies, with the limits to compare.
struct DemandChart {
  let result: TuneResult

  private static let curvesShown = 6

  @BlockBuilder var blocks: [Block] {
    if !curves.isEmpty {
      Block.lead(
        "Share of legitimate sessions within a quota. Where a curve is flat, a higher limit has no benefit.")
      Block.panels([(chart, 280)], style: "")
    }
  }

  private var curves: [TuneResult.Curve] {
    Array(result.curves.filter { !$0.allowances.isEmpty }.prefix(Self.curvesShown))
  }

  private var chart: Chart {
    let highest = curves.flatMap(\.allowances).max() ?? 1
    return Chart(
      id: "demand", title: "Sessions within the quota", description: words,
      x: Axis(1...Double(max(highest, 2)), .log, title: "") { Figure.digits($0) },
      y: Axis(floor...100, title: "sessions within the quota") { "\(Figure.decimals($0, 1))%" },
      marks: rules + curves.map(line) + curves.enumerated().map { index, curve in label(curve, index) })
  }

  /// The lower end of the axis, in percent.
  private var floor: Double { min((curves.flatMap(\.satisfied).min() ?? 0) * 100, 90) }

  private var words: String {
    curves.compactMap { curve in
      guard let enough = zip(curve.allowances, curve.satisfied).first(where: { $0.1 >= 0.99 }) else { return nil }
      return "\(TuneText.key(curve.key)) in \(Figure.seconds(curve.window).text): 99% with \(enough.0)."
    }.joined(separator: " ")
  }

  private func points(_ curve: TuneResult.Curve) -> [Point] {
    zip(curve.allowances, curve.satisfied).map { Point(Double(max($0, 1)), $1 * 100) }
  }

  private func line(_ curve: TuneResult.Curve) -> Mark {
    Mark.line(points(curve), style: TuneText.style(curve.key) + (curve.key == "user" ? " dashed" : ""))
  }

  /// At a different height on each curve, because they all end at 100 %.
  private func label(_ curve: TuneResult.Curve, _ index: Int) -> Mark {
    let points = points(curve)
    let wanted = floor + (100 - floor) * (0.2 + 0.13 * Double(index))
    let place = points.first { $0.y >= wanted } ?? points.last ?? Point(1, 100)
    return Mark.words(
      "\(curve.key) \(Figure.seconds(curve.window).text)", at: place, style: TuneText.style(curve.key))
  }

  private var rules: [Mark] {
    let asked = result.answers.map(\.point) + result.recommendations.map(\.point)
    var allowances: Set<Int> = []
    let shown = asked.filter { allowances.insert($0.allowance).inserted }.prefix(4)
    return shown.enumerated().map { row, point in
      Mark.rule(x: Double(point.allowance), style: "limit", label: TuneText.policy(point), row: row)
    }
  }
}
