/// A value with a unit as budgets write it: `300ms`, `0.1%`, `20/s`, `12`.
package struct Quantity: Sendable, Hashable {
  package enum Dimension: Sendable { case time, share, rate, count }

  /// Seconds, parts of one, per second, or plain.
  package var value: Double
  package var dimension: Dimension

  /// Nil for text that is no number with one of the known units; what follows in brackets is passed over.
  package init?(_ text: String) {
    let text = text.prefix { $0 != "(" }
    let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "-" }
    guard let number = Double(digits) else { return nil }
    let unit = text.dropFirst(digits.count).filter { !$0.isWhitespace }
    guard let (factor, dimension) = Self.units[unit] else { return nil }
    value = number * factor
    self.dimension = dimension
  }

  private static let units: [String: (Double, Dimension)] = [
    "": (1, .count), "%": (0.01, .share), "‰": (0.001, .share),
    "ns": (1e-9, .time), "us": (1e-6, .time), "µs": (1e-6, .time), "ms": (1e-3, .time), "s": (1, .time),
    "m": (60, .time), "min": (60, .time), "h": (3600, .time),
    "/s": (1, .rate), "/m": (1.0 / 60, .rate), "/min": (1.0 / 60, .rate), "/h": (1.0 / 3600, .rate),
  ]
}
