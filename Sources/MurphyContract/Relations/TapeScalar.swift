import MurphyModel
import MurphySchema

/// A comparable value of the tape. Valid as long as the tape.
enum TapeScalar {
  case absent
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case text(UnsafeRawBufferPointer)
  case other

  init(_ tape: Tape, at position: Int) {
    switch tape.type(at: position) {
    case UInt8(ascii: "l"): self = .integer(Int64(bitPattern: tape.words[position + 1]))
    case UInt8(ascii: "u"): self = .double(Double(tape.words[position + 1]))
    case UInt8(ascii: "d"): self = .double(Double(bitPattern: tape.words[position + 1]))
    case UInt8(ascii: "t"): self = .bool(true)
    case UInt8(ascii: "f"): self = .bool(false)
    case UInt8(ascii: "n"): self = .null
    case UInt8(ascii: "\""): self = .text(tape.utf8(at: position))
    default: self = .other
    }
  }

  /// The number of an item with this id; nil for a value that is not an id.
  @inline(__always)
  var id: Int64? {
    switch self {
    case .integer(let number): number
    case .text(let bytes): Int64(bitPattern: RelationHash.of(bytes))
    default: nil
    }
  }

  /// Equal for equal values; 0 for none.
  var hash: UInt64 {
    switch self {
    case .absent: 0
    case .null: 1
    case .bool(let truth): truth ? 3 : 2
    case .integer(let number): UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15 | 1
    case .double(let number):
      Int64(exactly: number).map { TapeScalar.integer($0).hash } ?? number.bitPattern &* 0x9E37_79B9_7F4A_7C15 | 1
    case .text(let bytes): RelationHash.of(bytes) & ~1 | 4
    case .other: 5
    }
  }

  /// For messages.
  var text: String {
    switch self {
    case .absent: "absent"
    case .null: "null"
    case .bool(let truth): String(truth)
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .text(let bytes):
      "\"\(String(decoding: bytes, as: UTF8.self).shortened(to: 80))\""
    case .other: "an object or array"
    }
  }
}

/// Numbers that represent strings: the same in every loop and run.
package enum RelationHash {
  /// Equal bytes have equal hashes in every process.
  @inline(__always)
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = FNV1a()
    hash.add(bytes)
    return hash.value
  }

  /// The hash of the bytes in UTF-8.
  package static func of(_ text: String) -> UInt64 {
    // Avoids a copy, which would count references.
    if let hash = text.utf8.withContiguousStorageIfAvailable({ of(UnsafeRawBufferPointer($0)) }) { return hash }
    var text = text
    return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
  }

  /// The hash of a string that is long enough to identify its sender; 0 for anything else.
  package static func of(nonce value: JSONValue?) -> UInt64 {
    guard let text = value?.string, text.utf8.count >= 8 else { return 0 }
    return of(text)
  }

  /// The number of an item: its id if that is an integer, otherwise a hash of the string.
  package static func id(_ text: String, isInteger: Bool) -> Int64? {
    isInteger ? Int64(text) : Int64(bitPattern: of(text))
  }
}

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
