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

extension Duration {
  /// Seconds, at most 292 years to either side; zero for what is not at a number.
  package static func saturating(seconds: Double) -> Duration {
    let longest = 9_223_372_036.0
    return seconds.isNaN ? .zero : .seconds(min(max(seconds, -longest), longest))
  }
}

extension UInt32 {
  /// Counts that files hold may be anything.
  package func adding(_ other: UInt32) -> UInt32 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}
