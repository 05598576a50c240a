/// A JSON number in its original spelling. Comparison is exact, at any size and precision.
public struct JSONNumber: Sendable {
  /// The number in JSON's grammar (RFC 8259 §6).
  public let text: String

  /// A whole number.
  public init(_ value: Int) { text = String(value) }

  /// NaN and the infinities, which JSON does not have, become 0.
  public init(_ value: Double) {
    guard value.isFinite else {
      text = "0"
      return
    }
    if value == value.rounded(), abs(value) < 9_007_199_254_740_992 {
      text = String(Int(value))
    } else {
      text = value.description
    }
  }

  /// Nil if the text is not a JSON number.
  public init?(text: String) {
    var copy = text
    let end = copy.withUTF8 { JSONScanner.numberEnd(in: UnsafeRawBufferPointer($0), from: 0) }
    guard end == text.utf8.count, end > 0 else { return nil }
    self.text = text
  }

  package init(checked text: String) { self.text = text }

  /// The nearest double; huge numbers become an infinity.
  public var double: Double { Double(text) ?? (text.hasPrefix("-") ? -.infinity : .infinity) }

  /// The value if it is a whole number that fits (`1.0` and `1e2` are whole numbers).
  public var int: Int? { Int(text) ?? decimal.int }

  /// True for a number without fraction, in any spelling.
  public var isInteger: Bool { decimal.exponent >= 0 }

  /// True if the text itself has neither fraction nor exponent: draft 4's meaning of integer.
  package var isWrittenAsInteger: Bool { !text.utf8.contains { $0 == 0x2E || $0 | 0x20 == 0x65 } }

  /// The exact value, independent of the spelling.
  package var decimal: ExactDecimal { ExactDecimal(text) }
}

extension JSONNumber: Comparable, Hashable {
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || left.decimal == right.decimal
  }

  public static func < (left: JSONNumber, right: JSONNumber) -> Bool { left.decimal < right.decimal }

  public func hash(into hasher: inout Hasher) { hasher.combine(decimal) }

  /// True if this is an exact integral multiple of `divisor`, which must not be 0.
  package func isMultiple(of divisor: JSONNumber) -> Bool { decimal.isMultiple(of: divisor.decimal) }
}

extension JSONNumber: CustomStringConvertible {
  public var description: String { text }
}

/// A decimal number without rounding: ± digits · 10^exponent, in lowest terms (no leading or trailing zero digit).
///
/// Nothing here expands an exponent, so `1e1000000000` costs no more than `1`.
package struct ExactDecimal: Sendable, Hashable {
  /// False for zero.
  package let isNegative: Bool
  /// The digits 0…9 as numbers. Empty for zero.
  package let digits: [UInt8]
  /// The power of ten that the digits are multiplied by.
  package let exponent: Int

  /// Larger exponents have no practical meaning; clamping prevents overflow in sums of them.
  private static let exponentLimit = 1 << 60

  /// The text must match JSON's grammar of a number. Cost: its length.
  package init(_ text: String) {
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

  /// Zero of either sign.
  package var isZero: Bool { digits.isEmpty }

  /// The value if it is whole and fits an Int.
  package var int: Int? {
    guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
    var value = 0
    for index in 0..<(digits.count + exponent) {
      let digit = index < digits.count ? Int(digits[index]) : 0
      let (high, overflowed) = value.multipliedReportingOverflow(by: 10)
      // Negative accumulation reaches Int.min, which has no positive counterpart.
      let (sum, overflowedToo) = high.subtractingReportingOverflow(digit)
      if overflowed || overflowedToo { return nil }
      value = sum
    }
    if isNegative { return value }
    return value == Int.min ? nil : -value
  }
}

extension ExactDecimal: Comparable {
  package static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative ? right.isSmallerInMagnitude(than: left) : left.isSmallerInMagnitude(than: right)
  }

  private func isSmallerInMagnitude(than other: ExactDecimal) -> Bool {
    if isZero || other.isZero { return isZero && !other.isZero }
    let order = digits.count + exponent
    let otherOrder = other.digits.count + other.exponent
    if order != otherOrder { return order < otherOrder }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}

extension ExactDecimal {
  /// True if this is an exact integral multiple of `divisor`.
  ///
  /// With v = a·10^m and d = b·10^n in lowest terms, v/d = a·10^(m-n) / b.
  /// If m < n no whole quotient exists, because 10 does not divide a. Otherwise b must divide a·10^(m-n). Powers of ten
  /// beyond the bit length of b contribute no further factor of b: at most 4 zeros per digit of b are needed. Cost:
  /// digits of a plus 4 · digits of b, each step linear in the size of b.
  package func isMultiple(of divisor: ExactDecimal) -> Bool {
    if isZero { return true }
    if divisor.isZero || exponent < divisor.exponent { return false }
    let zeros = min(exponent - divisor.exponent, 4 * divisor.digits.count)
    return divisor.digits.count <= 18
      ? isDivisible(zeros: zeros, small: divisor.digits.reduce(0) { $0 * 10 + UInt64($1) })
      : isDivisible(zeros: zeros, large: divisor.digits)
  }

  /// Long division, digit by digit. `small` < 10^18, so that remainder · 10 + 9 fits 64 bits.
  private func isDivisible(zeros: Int, small: UInt64) -> Bool {
    var remainder: UInt64 = 0
    for digit in digits { remainder = (remainder * 10 + UInt64(digit)) % small }
    for _ in 0..<zeros { remainder = (remainder * 10) % small }
    return remainder == 0
  }

  /// Long division on digits, most significant first.
  private func isDivisible(zeros: Int, large: [UInt8]) -> Bool {
    var remainder = [UInt8](repeating: 0, count: large.count + 1)
    for index in 0..<(digits.count + zeros) {
      remainder.removeFirst()
      remainder.append(index < digits.count ? digits[index] : 0)
      while Self.subtract(large, from: &remainder) {}
    }
    return remainder.allSatisfy { $0 == 0 }
  }

  /// `remainder` has one more digit than `divisor`. Subtracts if the result is ≥ 0.
  private static func subtract(_ divisor: [UInt8], from remainder: inout [UInt8]) -> Bool {
    if remainder[0] == 0, remainder.dropFirst().lexicographicallyPrecedes(divisor) { return false }
    var borrow = 0
    for index in stride(from: divisor.count - 1, through: 0, by: -1) {
      var difference = Int(remainder[index + 1]) - Int(divisor[index]) - borrow
      borrow = difference < 0 ? 1 : 0
      if difference < 0 { difference += 10 }
      remainder[index + 1] = UInt8(difference)
    }
    remainder[0] -= UInt8(borrow)
    return true
  }
}
