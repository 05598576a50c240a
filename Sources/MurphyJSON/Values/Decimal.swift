/// A decimal number without rounding: ± digits · 10^exponent, in lowest terms (no leading or trailing zero digit).
///
/// Nothing here expands an exponent, so `1e1000000000` costs no more than `1`.
public struct Decimal: Sendable, Hashable {
  public let isNegative: Bool
  /// The digits 0…9 as numbers. Empty for zero.
  public let digits: [UInt8]
  public let exponent: Int

  /// Exponents beyond this have no meaning to anybody; clamping keeps sums of them from overflowing.
  private static let exponentLimit = 1 << 60

  /// The text must follow JSON's grammar of a number. Cost: its length.
  public init(_ text: String) {
    var digits: [UInt8] = []
    var fraction = 0
    var written = 0
    var negative = false
    var negativeExponent = false
    var part = 0
    for byte in text.utf8 {
      switch byte {
      case 0x2D where part == 0: negative = true
      case 0x2D: negativeExponent = true
      case 0x2B: break
      case 0x2E: part = 1
      case 0x45, 0x65: part = 2
      default:
        if part == 2 {
          if written < Self.exponentLimit / 16 { written = written * 10 + Int(byte & 15) }
        } else {
          if part == 1 { fraction += 1 }
          if !digits.isEmpty || byte != 0x30 { digits.append(byte & 15) }
        }
      }
    }
    var exponent = (negativeExponent ? -written : written) - fraction
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    self.isNegative = negative && !digits.isEmpty
    self.digits = digits
    self.exponent = digits.isEmpty ? 0 : exponent
  }

  public var isZero: Bool { digits.isEmpty }

  /// The value where it is whole and fits an Int.
  public var int: Int? {
    guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
    var value = 0
    for index in 0..<(digits.count + exponent) {
      let digit = index < digits.count ? Int(digits[index]) : 0
      let (high, overflowed) = value.multipliedReportingOverflow(by: 10)
      // Negative accumulation reaches Int.min, which has no positive twin.
      let (sum, overflowedToo) = high.subtractingReportingOverflow(digit)
      if overflowed || overflowedToo { return nil }
      value = sum
    }
    if isNegative { return value }
    return value == Int.min ? nil : -value
  }
}

extension Decimal: Comparable {
  public static func < (left: Decimal, right: Decimal) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative ? right.isSmallerInMagnitude(than: left) : left.isSmallerInMagnitude(than: right)
  }

  private func isSmallerInMagnitude(than other: Decimal) -> Bool {
    if isZero || other.isZero { return isZero && !other.isZero }
    let order = digits.count + exponent
    let otherOrder = other.digits.count + other.exponent
    if order != otherOrder { return order < otherOrder }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}
