extension FixedWidthInteger {
  /// The whole part of `value`, at most the largest of this type and at least the smallest; 0 for what is not at a number.
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
  /// The number with zeros in front, at least so many digits; of one that is not negative.
  package func padded(_ count: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: max(count - digits.count, 0)) + digits
  }
}

extension Duration {
  /// Seconds, at most 292 years to either side; zero for what is not at a number.
  package static func saturating(seconds: Double) -> Duration {
    let longest = 9_223_372_036.0
    return seconds.isNaN ? .zero : .seconds(min(max(seconds, -longest), longest))
  }
}

extension FixedWidthInteger {
  /// The sum, or the end of the type's range: counts and times that files hold may be anything.
  @inlinable package func adding(_ other: Self) -> Self {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the end of the type's range.
  @inlinable package func subtracting(_ other: Self) -> Self {
    let (difference, isOver) = subtractingReportingOverflow(other)
    return isOver ? (other < 0 ? .max : .min) : difference
  }

  /// The product, or the end of the type's range.
  @inlinable package func multiplied(by other: Self) -> Self {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
