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
