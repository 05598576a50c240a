import Foundation
import MurphyJudge
import MurphyModel

/// Every policy as a point. Its coordinates are the requests per minute that an abuser gets, and the share of honest
/// sessions that it throttles.
struct ParetoChart {
  let result: TuneResult

  /// Further points are thinned out; those on a front are always shown.
  private static let pointsShown = 600

  @BlockBuilder var blocks: [Block] {
    if !result.points.isEmpty {
      Block.lead(
        "Each point is a policy. A policy further left admits fewer requests of an abuser. A lower policy throttles "
          + "fewer legitimate sessions. The lines connect the Pareto-optimal policies.")
      element(.figure) {
        chart.responsive(height: 320)
        element(.figcaption, .class("key")) {
          for key in keys {
            element(.span) {
              element(.i, .class("swatch \(TuneText.style(key))"), .decorative)
              TuneText.key(key)
            }
          }
          element(.span, text: "large point: recommended policy · ring: requested policy")
        }
      }
      if result.points.count > Self.pointsShown {
        Block.text("Some of \(counted(result.points.count, "policy")) are not shown.", style: "cut")
      }
    }
  }

  private var keys: [String] {
    ["address", "user", "global"].filter { key in result.points.contains { $0.key == key } }
  }

  /// The plotted share for none: half of one session.
  private var floor: Double { 0.5 / Double(max(result.demand.sessions, 1)) }

  private var chart: Chart {
    let abuse = result.points.map { max($0.abusePerMinute, 0.1) }
    let ticks = [floor, 0.0001, 0.001, 0.01, 0.1, 1].filter { $0 == floor || $0 > floor * 2 }
    return Chart(
      id: "pareto", title: "Throttled sessions by the rate of an abuser",
      description: result.recommendations.map(\.sentence).joined(separator: " "),
      x: Axis((abuse.min() ?? 1) * 0.8...(abuse.max() ?? 10) * 1.25, .log, title: "") { "\(Figure.digits($0))/min" },
      y: Axis(floor * 0.8...1, .log, title: "legitimate sessions throttled", ticks: ticks) { [floor] in
        $0 == floor ? "none" : TuneText.share($0)
      },
      marks: keys.flatMap(marks) + targets)
  }

  private func marks(_ key: String) -> [Mark] {
    let style = TuneText.style(key)
    let points = result.points.filter { $0.key == key }
    let front = points.filter(\.isOnFront).sorted { $0.abusePerMinute < $1.abusePerMinute }
    let every = max(result.points.count / Self.pointsShown, 1)
    let cloud = points.filter { !$0.isOnFront }.enumerated().filter { $0.offset.isMultiple(of: every) }.map(\.element)
    let recommended = result.recommendations.map(\.point).filter { $0.key == key }
    let asked = result.outcomes.map(\.point).filter { $0.key == key }
    return [
      Mark.scatter(cloud.map(place), style: style + " faint", radius: 1.8),
      Mark.line(front.map(place), style: style),
      Mark.scatter(front.map(place), style: style, radius: 2.4),
      Mark.scatter(asked.map(place), style: style, radius: 7, ring: true),
      Mark.scatter(recommended.map(place), style: style, radius: 6),
    ]
  }

  private var targets: [Mark] {
    Set(result.recommendations.map(\.target)).sorted().map { target in
      Mark.rule(y: target, style: "limit", label: "target \(TuneText.share(target))")
    }
  }

  private func place(_ point: TuneResult.Point) -> Point {
    Point(max(point.abusePerMinute, 0.1), max(point.throttled, floor))
  }
}

/// The distribution of demand: the share of sessions that each quota satisfies, with the limits to compare.
struct DemandChart {
  let result: TuneResult

  private static let curvesShown = 6

  @BlockBuilder var blocks: [Block] {
    if !curves.isEmpty {
      Block.lead(
        "Each curve shows the share of legitimate sessions that a quota satisfies. The horizontal axis is the quota, in "
          + "requests. Where a curve is flat, a higher quota has no benefit.")
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
      y: Axis(floor...100, title: "sessions within the quota") { Figure.percentage($0).text },
      marks: rules + curves.map(line) + curves.enumerated().map { index, curve in label(curve, index) })
  }

  /// The lower end of the axis, in percent.
  private var floor: Double { min((curves.flatMap(\.satisfied).min() ?? 0) * 100, 90) }

  private var words: String {
    curves.compactMap { curve in
      guard let enough = zip(curve.allowances, curve.satisfied).first(where: { $0.1 >= 0.99 }) else { return nil }
      return
        "\(TuneText.key(curve.key)) in \(Figure.time(.saturating(seconds: curve.window)).text): a quota of \(enough.0) "
        + "satisfies 99% of the sessions."
    }.joined(separator: " ")
  }

  private func points(_ curve: TuneResult.Curve) -> [Point] {
    zip(curve.allowances, curve.satisfied).map { Point(Double(max($0, 1)), $1 * 100) }
  }

  private func line(_ curve: TuneResult.Curve) -> Mark {
    Mark.line(points(curve), style: TuneText.style(curve.key) + (curve.key == "user" ? " dashed" : ""))
  }

  /// At a different height for each curve, because they all end at 100 %: where the curve crosses the height, otherwise
  /// below the begin of the curve.
  private func label(_ curve: TuneResult.Curve, _ index: Int) -> Mark {
    let points = points(curve)
    let earlier = curves.prefix(index)
    // Curves that begin near the top have their labels below each other there.
    let isHigh = { (curve: TuneResult.Curve) in (curve.satisfied.first ?? 1) > 0.8 }
    let row = Double(earlier.count { isHigh($0) == isHigh(curve) })
    let wanted = floor + (100 - floor) * (isHigh(curve) ? 0.94 - 0.07 * row : 0.75 - 0.13 * row)
    var place = Point(points.first?.x ?? 1, wanted)
    for (before, after) in zip(points, points.dropFirst()) where before.y < wanted && after.y >= wanted {
      // The horizontal axis is logarithmic.
      let part = (wanted - before.y) / (after.y - before.y)
      place.x = before.x * pow(after.x / before.x, part)
    }
    let window = Figure.time(.saturating(seconds: curve.window)).text
    let algorithm = Set(curves.map(\.algorithm)).count > 1 ? ", \(TuneText.algorithm(curve.algorithm))" : ""
    return Mark.words("\(curve.key) \(window)\(algorithm)", at: place, style: TuneText.style(curve.key))
  }

  private var rules: [Mark] {
    let asked = result.outcomes.map(\.point) + result.recommendations.map(\.point)
    var allowances: Set<Int> = []
    let shown = asked.filter { allowances.insert($0.allowance).inserted }.prefix(4)
    return shown.enumerated().map { row, point in
      Mark.rule(x: Double(point.allowance), style: "limit", label: TuneText.policy(point), row: row)
    }
  }
}
