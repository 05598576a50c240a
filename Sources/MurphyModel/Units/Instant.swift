/// A time on the path of a request: an integer, because `Duration` takes several times as long to add and compare.
///
/// Everywhere else a time is a `Duration`.
package typealias Nanoseconds = Int64

/// A point on the monotonic clock (`CLOCK_MONOTONIC`), in nanoseconds.
///
/// Instants can be compared only with instants of the same process.
package struct Instant: Sendable, Hashable, Comparable, Codable {
  /// Since a start that the system chooses.
  package var nanoseconds: Nanoseconds

  @inlinable package init(nanoseconds: Nanoseconds) { self.nanoseconds = nanoseconds }

  @inlinable package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Nanoseconds from `earlier` to `later`; negative if they are in reverse order.
  @inlinable package static func - (later: Instant, earlier: Instant) -> Int64 {
    later.nanoseconds.subtracting(earlier.nanoseconds)
  }

  /// Seconds from `earlier` to this instant.
  @inlinable package func seconds(since earlier: Instant) -> Double { Double(self - earlier) / 1e9 }

  /// Stays within the range of a number instead of overflowing.
  @inlinable package static func + (start: Instant, nanoseconds: Nanoseconds) -> Instant {
    Instant(nanoseconds: start.nanoseconds.adding(nanoseconds))
  }
}

extension Duration {
  /// Nanoseconds, rounded, saturating at ±292 years.
  package var nanoseconds: Nanoseconds {
    let (seconds, attoseconds) = components
    let half: Int64 = attoseconds < 0 ? -500_000_000 : 500_000_000
    return seconds.multiplied(by: 1_000_000_000).adding((attoseconds + half) / 1_000_000_000)
  }

  /// Seconds as a binary floating-point number.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// The duration without its sign.
  package var magnitude: Duration { max(self, .zero - self) }

  /// Microseconds as a binary floating-point number.
  package var inMicroseconds: Double { Double(nanoseconds) / 1000 }

  /// The duration for people, with at most three decimals: `300 ms`, `1.5 s`, `60 s`, `2 min`, `80 µs`.
  package var text: String {
    let (number, unit) = self == .seconds(60) ? (60, "s") : scaled
    return Figure(Figure.decimals(number, 3), ["us": "µs", "m": "min"][unit] ?? unit).text
  }

  /// The duration as scenarios and options take it: `300ms`, `1.5s`, `2m`, `80us`.
  package var notation: String {
    let (number, unit) = scaled
    return Quantity.numberText((number * 1000).rounded() / 1000) + unit
  }

  /// The number and the unit of the notation.
  private var scaled: (number: Double, unit: String) {
    let nanoseconds = Double(self.nanoseconds)
    let magnitude = nanoseconds.magnitude
    if magnitude == 0 { return (0, "s") }
    if magnitude < 1e3 { return (nanoseconds, "ns") }
    if magnitude < 1e6 { return (nanoseconds / 1e3, "us") }
    if magnitude < 1e9 { return (nanoseconds / 1e6, "ms") }
    if magnitude >= 60e9, nanoseconds.truncatingRemainder(dividingBy: 60e9) == 0 { return (nanoseconds / 60e9, "m") }
    return (nanoseconds / 1e9, "s")
  }
}

extension FixedWidthInteger {
  /// The whole part of `value`, limited to the range of this type; 0 for NaN.
  ///
  /// The plain conversion ends the process beyond the type's range, and a server or a file can send such a number.
  @inlinable package init(saturating value: Double) {
    if value.isNaN {
      self = 0
    } else if value >= Double(Self.max) {
      self = .max
    } else if value <= Double(Self.min) {
      self = .min
    } else {
      self = Self(value)
    }
  }
}

extension BinaryInteger {
  /// The number with leading zeros, with at least this many digits; not for negative numbers.
  package func padded(_ count: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: max(count - digits.count, 0)) + digits
  }
}

extension Duration {
  /// Seconds, limited to ±292 years; zero for NaN.
  package static func saturating(seconds: Double) -> Duration {
    let longest = 9_223_372_036.0
    return seconds.isNaN ? .zero : .seconds(min(max(seconds, -longest), longest))
  }

  /// Microseconds, limited to ±292 years; zero for NaN.
  package static func microseconds(saturating microseconds: Double) -> Duration {
    saturating(seconds: microseconds / 1e6)
  }

  /// A latency as results hold it: rounded to a tenth of a microsecond.
  package static func measured(_ time: Nanoseconds) -> Duration {
    .nanoseconds(Int64(saturating: (Double(time) / 100).rounded()).multiplied(by: 100))
  }

  /// The text for people, rounded to at most four decimal places of a second.
  package func text(places: Int) -> String {
    let scale = [1.0, 10, 100, 1_000, 10_000][places]
    return Self.saturating(seconds: (inSeconds * scale).rounded() / scale).text
  }
}

extension FixedWidthInteger {
  /// The sum, limited to the type's range: counts and times in files may be any numbers.
  @inlinable package func adding(_ other: Self) -> Self {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, limited to the type's range.
  @inlinable package func subtracting(_ other: Self) -> Self {
    let (difference, isOver) = subtractingReportingOverflow(other)
    return isOver ? (other < 0 ? .max : .min) : difference
  }

  /// The product, limited to the type's range.
  @inlinable package func multiplied(by other: Self) -> Self {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
