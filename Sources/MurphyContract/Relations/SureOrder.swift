import MurphySchema

/// The order of two neighbours in a sorted list, if all collations agree on it.
enum SureOrder {
  case ascending, descending, open

  /// Numbers, booleans and timestamps of equal precision are comparable. Strings are comparable only if, after equal
  /// ASCII letters, two ASCII letters of one case differ. Collations disagree on case, accents, punctuation and digits,
  /// but not on that.
  static func of(_ first: TapeScalar, _ second: TapeScalar) -> SureOrder {
    switch (first, second) {
    case (.integer(let left), .integer(let right)): of(left, right)
    case (.double(let left), .double(let right)): of(left, right)
    case (.integer(let left), .double(let right)): of(Double(left), right)
    case (.double(let left), .integer(let right)): of(left, Double(right))
    case (.bool(let left), .bool(let right)): of(left ? 1 : 0, right ? 1 : 0)
    case (.text(let left), .text(let right)): texts(left, right)
    default: .open
    }
  }

  private static func of<Number: Comparable>(_ left: Number, _ right: Number) -> SureOrder {
    left < right ? .ascending : left > right ? .descending : .open
  }

  private static func texts(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> SureOrder {
    if isMoment(left), isMoment(right) {
      guard left.count == right.count, left.last == right.last else { return .open }
      for (a, b) in zip(left, right) where a != b { return a < b ? .ascending : .descending }
      return .open
    }
    for (a, b) in zip(left, right) {
      if a == b {
        guard isLetter(a) else { return .open }
        continue
      }
      guard isLetter(a), isLetter(b), (a ^ b) & 0x20 == 0 else { return .open }
      return a < b ? .ascending : .descending
    }
    return .open
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  /// A date, or a timestamp in UTC (RFC 3339): `2024-01-31`, `2024-01-31T10:00:00.000Z`.
  static func isMoment(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= 10, text.count == 10 || (text.count >= 20 && text[text.count - 1] == UInt8(ascii: "Z")) else {
      return false
    }
    for (index, byte) in text.prefix(10).enumerated() {
      let isDash = index == 4 || index == 7
      guard isDash ? byte == UInt8(ascii: "-") : byte &- 0x30 < 10 else { return false }
    }
    return text.count == 10 || text[10] == UInt8(ascii: "T")
  }
}
