import Foundation

extension ProbeReport.Estimate {
  /// The ratio of the ends of an interval from which on only the lower end is a result.
  private static let open = 100.0

  /// True if the responses permit values of any size above the lower end.
  package var isOpen: Bool { high > Self.open * low }

  /// The largest value to plan with.
  package var largest: Double { isOpen ? value : high }

  /// `10` if the whole interval rounds to it in two or three digits, otherwise `9.3 to 10.7`.
  package var text: String {
    for digits in [3, 2] {
      let ends = [low, high].map { Self.rounded($0, digits, .toNearestOrAwayFromZero) }
      if ends[0] == ends[1] { return Self.number(ends[0]) }
    }
    let least = Self.number(Self.rounded(low, 3, .down))
    return isOpen ? "at least \(least)" : "\(least) to \(Self.number(Self.rounded(high, 3, .up)))"
  }

  /// The same for a number of requests: each of them is a result of its own.
  package var countText: String {
    let (least, most) = (Self.number(low.rounded()), Self.number(high.rounded()))
    return least == most ? least : isOpen ? "at least \(least)" : "\(least) to \(most)"
  }

  private static func rounded(_ value: Double, _ digits: Int, _ rule: FloatingPointRoundingRule) -> Double {
    guard value > 0, value.isFinite else { return value }
    // A power of ten is exact where a fraction is not.
    let places = digits - 1 - Int(saturating: log10(value).rounded(.down))
    let scale = pow(10, Double(places.magnitude))
    return places >= 0 ? (value * scale).rounded(rule) / scale : (value / scale).rounded(rule) * scale
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? "\(Int(saturating: value))" : "\(value)"
  }
}
