/// A JSON number as it was written. Comparison is exact, at any size and precision.
public struct JSONNumber: Sendable {
  /// The number in JSON's grammar (RFC 8259 §6).
  public let text: String

  public init(_ value: Int) { text = String(value) }

  /// NaN and the infinities, which JSON lacks, become `null`'s nearest number, 0.
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

  /// Nil where the text is not a JSON number.
  public init?(text: String) {
    var copy = text
    let end = copy.withUTF8 { JSONScanner.numberEnd(in: UnsafeRawBufferPointer($0), from: 0) }
    guard end == text.utf8.count, end > 0 else { return nil }
    self.text = text
  }

  package init(checked text: String) { self.text = text }

  /// The nearest double; huge numbers become an infinity.
  public var double: Double { Double(text) ?? (text.hasPrefix("-") ? -.infinity : .infinity) }

  /// The value where it is a whole number that fits (`1.0` and `1e2` are whole numbers).
  public var int: Int? { Int(text) ?? decimal.int }

  /// True for a number without fraction, however it is written.
  public var isInteger: Bool { decimal.exponent >= 0 }

  /// True where the text itself has neither fraction nor exponent: draft 4's meaning of integer.
  public var isWrittenAsInteger: Bool { !text.utf8.contains { $0 == 0x2E || $0 | 0x20 == 0x65 } }

  public var decimal: Decimal { Decimal(text) }
}

extension JSONNumber: Comparable, Hashable {
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || left.decimal == right.decimal
  }

  public static func < (left: JSONNumber, right: JSONNumber) -> Bool { left.decimal < right.decimal }

  public func hash(into hasher: inout Hasher) { hasher.combine(decimal) }

  /// Exact: whether this is an integral multiple of `divisor`, which must not be 0.
  public func isMultiple(of divisor: JSONNumber) -> Bool { decimal.isMultiple(of: divisor.decimal) }
}

extension JSONNumber: CustomStringConvertible {
  public var description: String { text }
}
