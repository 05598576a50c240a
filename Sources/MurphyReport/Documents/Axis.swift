import Foundation
import MurphyModel

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
  package static func time(to end: Duration) -> Axis {
    let end = max(end.inSeconds, 1)
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
    if high == 0 { return Axis(0...1000, title: title) { Figure.latency(.microseconds(saturating: $0)).text } }
    let wide = high / low > 25
    return Axis(wide ? low * 0.8...high * 1.15 : 0...high * 1.08, wide ? .log : .linear, title: title) {
      $0 == 0 ? "0" : Figure.latency(.microseconds(saturating: $0)).text
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

/// Maps a domain of values to a range of coordinates.
///
///     linear  p = from + (v − lower) / (upper − lower) · (to − from)
///     log     the same, of log₁₀ v
package struct Scale: Sendable {
  /// The way in which values are spread.
  package enum Mapping: Sendable { case linear, log }

  package let kind: Mapping
  /// The value at `from`.
  package let lower: Double
  /// The value at `to`.
  package let upper: Double
  /// The coordinate of the lower end.
  package let from: Double
  /// The coordinate of the upper end; less than `from` on an upright axis.
  package let to: Double

  /// An empty or reversed domain is widened, and a logarithmic one is limited to positive values.
  package init(_ kind: Mapping, _ domain: ClosedRange<Double>, from: Double, to: Double) {
    self.kind = kind
    let floor = kind == .log ? max(domain.lowerBound, 1e-9) : domain.lowerBound
    lower = floor.isFinite ? floor : 0
    let least = kind == .log ? lower * 1.01 : lower + max(lower.magnitude * 1e-9, 1e-9)
    upper = domain.upperBound.isFinite ? max(domain.upperBound, least) : least
    self.from = from
    self.to = to
  }

  /// Values outside of the domain are mapped to its ends.
  package func position(_ value: Double) -> Double {
    guard value.isFinite else { return value > 0 ? to : from }
    let clamped = min(max(value, lower), upper)
    let share =
      switch kind {
      case .linear: (clamped - lower) / (upper - lower)
      case .log: log10(clamped / lower) / log10(upper / lower)
      }
    return from + share * (to - from)
  }

  /// Round values within the domain, about `count` of them.
  package func ticks(about count: Int) -> [Double] {
    switch kind {
    case .linear: Self.roundSteps(from: lower, to: upper, about: count)
    case .log: logTicks(about: count)
    }
  }

  /// The same, extended to the first round value at or above its end.
  func extended(about count: Int) -> Scale {
    let end: Double
    switch kind {
    case .linear:
      guard let step = Self.roundStep(from: lower, to: upper, about: count) else { return self }
      end = (upper / step - 1e-9).rounded(.up) * step
    case .log:
      guard let multiples = multiples(about: count) else { return self }
      let powers = Int(saturating: Foundation.floor(log10(upper)))...Int(saturating: Foundation.ceil(log10(upper)))
      end =
        powers.flatMap { power in multiples.map { $0 * pow(10, Double(power)) } }.first { $0 >= upper * 0.999 } ?? upper
    }
    return Scale(kind, lower...Swift.max(end, upper), from: from, to: to)
  }

  /// Steps of 1, 2 or 5 times a power of ten.
  private static func roundSteps(from lower: Double, to upper: Double, about count: Int) -> [Double] {
    guard let step = roundStep(from: lower, to: upper, about: count) else { return [] }
    let first = (lower / step - 1e-9).rounded(.up)
    let last = (upper / step + 1e-9).rounded(.down)
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  /// Nil if values are so large, or so close to each other, that no step fits between them.
  private static func roundStep(from lower: Double, to upper: Double, about count: Int) -> Double? {
    let rough = (upper - lower) / Double(max(count, 1))
    let power = pow(10, Foundation.floor(log10(rough)))
    // Half a step more is better than a single line.
    let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.8 } ?? power * 10
    let (first, last) = ((lower / step - 1e-9).rounded(.up), (upper / step + 1e-9).rounded(.down))
    return step > 0 && last >= first && last - first < 1000 ? step : nil
  }

  /// Powers of ten; with 2 and 5 times them if the domain spans few decades.
  private func logTicks(about count: Int) -> [Double] {
    multiples(about: count).map(ticks) ?? []
  }

  /// The multiples of powers of ten that give about this many values; nil if the domain is empty.
  private func multiples(about count: Int) -> [Double]? {
    let sets = [[1.0, 2, 5], [1.0, 3], [1.0]]
    return sets.first { ticks($0).count <= count + 1 } ?? sets.last
  }

  private func ticks(_ multiples: [Double]) -> [Double] {
    let first = Int(saturating: Foundation.floor(log10(lower)))
    let last = Int(saturating: Foundation.ceil(log10(upper)))
    return (first...max(first, last)).flatMap { power in multiples.map { $0 * pow(10, Double(power)) } }
      .filter { $0 >= lower * 0.999 && $0 <= upper * 1.001 }
  }
}

/// The coordinate system of marks: two scales and the edges of the plot, in pixels of the chart.
package struct Frame: Sendable {
  package let x: Scale
  package let y: Scale
  package let left: Double
  package let right: Double
  package let top: Double
  package let bottom: Double

  package init(x: Scale, y: Scale, left: Double, right: Double, top: Double, bottom: Double) {
    (self.x, self.y) = (x, y)
    (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
  }

  /// `M` and `L` commands through the points; nil is a gap.
  package func path(_ points: [Point?]) -> String {
    var text = ""
    var pen = false
    for point in points {
      guard let point else {
        pen = false
        continue
      }
      text += pen ? "L" : "M"
      text += ("\(x.position(point.x)) \(y.position(point.y))" as PathData).text
      pen = true
    }
    return text
  }
}

/// A point in the values of a chart, not in pixels.
package struct Point: Sendable, Hashable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}
