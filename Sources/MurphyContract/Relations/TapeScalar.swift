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
      "\""
        + (bytes.count > 80
          ? String(decoding: bytes.prefix(80), as: UTF8.self) + "…" : String(decoding: bytes, as: UTF8.self)) + "\""
    case .other: "an object or array"
    }
  }
}
