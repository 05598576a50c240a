import MurphyModel

/// The curve of a drift over the load or over time. It has a dot for each interval of the run, and a line at the
/// beginning of the drift.
struct DriftChart {
  let drift: Drift
  /// Unique in the page.
  let id: String

  var block: Block {
    .panels(
      [(chart, 190)], style: "curve",
      caption: Phrase(
        "Over \(x.title). Each dot is a part of the run, all with about the same number of requests: hollow \(bound), filled beyond."
      ))
  }

  private var chart: Chart {
    let (low, high) = (drift.points.filter { !isBeyond($0) }, drift.points.filter(isBeyond))
    return Chart(
      id: id, title: "\(name) over \(drift.axis == .time ? "time" : "the load")",
      description: "Median \(value(drift.low)) \(bound), and \(value(drift.high)) beyond.", x: x, y: y,
      marks: [
        Mark.rule(x: drift.threshold, style: "stage"),
        Mark.scatter(low.map(dot), style: "base", ring: true), Mark.scatter(high.map(dot), style: "p99"),
      ])
  }

  private var name: String { drift.measure == .latency ? "latency (geometric mean)" : "share of errors" }

  private func isBeyond(_ point: Drift.Point) -> Bool {
    drift.axis == .time ? point.from >= drift.threshold : point.load > drift.threshold
  }

  private func dot(_ point: Drift.Point) -> Point {
    Point(drift.axis == .time ? (point.from + point.until) / 2 : point.load, point.value)
  }

  private var bound: String {
    switch drift.axis {
    case .requests: "up to \(Figure.digits(drift.threshold)) requests/s"
    case .users: "up to \(Figure.digits(drift.threshold)) users"
    case .time: "until \(Figure.seconds(drift.threshold).text)"
    }
  }

  private var x: Axis {
    let highest = drift.points.map(\.load).max() ?? 0
    return switch drift.axis {
    case .requests: .quantity(to: highest, title: "requests/s of all operations")
    case .users: .quantity(to: highest, title: "users")
    case .time: .time(to: drift.points.last?.until ?? 0)
    }
  }

  private var y: Axis {
    let values = drift.points.map(\.value)
    if drift.measure == .latency { return .latency(values, title: name) }
    return Axis(0...max((values.max() ?? 0) * 1.08, 0.01), title: name) { percentText($0) }
  }

  private func value(_ value: Double) -> String {
    drift.measure == .latency ? Figure.latency(value).text : percentText(value)
  }
}
