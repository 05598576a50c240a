/// One axis of a chart: its range, and the format of its values.
package struct Axis: Sendable {
  package var kind: Scale.Mapping
  /// The smallest and the largest value on the axis.
  package var domain: ClosedRange<Double>
  /// The measured quantity, with its unit.
  package var title: String
  /// The positions of lines and labels; nil for round values.
  package var ticks: [Double]?
  /// The text of a tick.
  package var label: @Sendable (Double) -> String

  init(
    _ domain: ClosedRange<Double>, _ kind: Scale.Mapping = .linear, title: String, ticks: [Double]? = nil,
    label: @escaping @Sendable (Double) -> String
  ) {
    (self.kind, self.domain, self.title) = (kind, domain, title)
    (self.ticks, self.label) = (ticks, label)
  }
}

extension Axis {
  /// Seconds since the start of the run.
  package static func time(to seconds: Double) -> Axis {
    let end = max(seconds, 1)
    let step =
      [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400]
      .first { end / $0 <= 8 } ?? end / 8
    let ticks = Array(stride(from: 0, through: end * 1.0001, by: step))
    return Axis(0...end, title: "time since the start", ticks: ticks) { Figure.clock($0, by: step) }
  }

  /// Latency in microseconds; logarithmic if the values span more than a factor of 25.
  package static func latency(_ values: some Sequence<Double>, title: String = "latency") -> Axis {
    var low = Double.infinity
    var high = 0.0
    for value in values where value > 0 {
      low = min(low, value)
      high = max(high, value)
    }
    if high == 0 { return Axis(0...1000, title: title) { Figure.latency($0).text } }
    let wide = high / low > 25
    return Axis(wide ? low * 0.8...high * 1.15 : 0...high * 1.08, wide ? .log : .linear, title: title) {
      $0 == 0 ? "0" : Figure.latency($0).text
    }
  }

  /// This many items in sequence, counted from 1.
  static func ordinal(_ count: Int, title: String) -> Axis {
    let count = max(count, 1)
    let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].first { count / $0 <= 8 } ?? max(count / 8, 1)
    let ticks = stride(from: 1, through: count, by: 1).filter { $0 == 1 || $0.isMultiple(of: step) }.map(Double.init)
    return Axis(0.5...Double(count) + 0.5, title: title, ticks: ticks) { Figure.decimals($0, 0) }
  }

  /// Counts or rates from zero.
  package static func quantity(to high: Double, title: String) -> Axis {
    Axis(0...max(high * 1.08, 1), title: title) { Figure.decimals($0, 2) }
  }
}

extension Figure {
  /// A time on an axis whose labels are `step` seconds apart: `40 s`, `3:20`, `1:05:00`.
  static func clock(_ seconds: Double, by step: Double) -> String {
    let whole = Int(saturating: min(max(seconds.rounded(), 0), 1e9))
    if step < 30 && whole < 120 { return whole == 0 ? "0" : "\(whole) s" }
    let rest = whole % 60
    let minutes = whole / 60 % 60
    let tail = "\(rest < 10 ? "0" : "")\(rest)"
    return whole < 3600 ? "\(minutes):\(tail)" : "\(whole / 3600):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
  }
}
