import CSimdjson

/// A parsed document as simdjson's tape: 64-bit words, the type in the upper byte, in document order.
///
/// The accessors are inlined into other modules: a validation calls them for every value.
/// A view: valid until its `TapeParser` parses again or goes away, and while the parsed bytes live.
/// A value is named by the position of its word. Every access is a few loads; nothing here allocates but
/// `string(at:)`, `value(at:)` and `numberText(at:)`.
@frozen public struct Tape {
  @usableFromInline package let words: UnsafePointer<UInt64>
  @usableFromInline package let strings: UnsafePointer<UInt8>
  @usableFromInline package let source: UnsafeRawBufferPointer
  @usableFromInline let parser: OpaquePointer

  public enum Kind: Sendable { case null, bool, number, string, array, object }

  /// The position of the document's value.
  @inlinable public var root: Int { 1 }

  @inlinable @inline(__always)
  package func type(at position: Int) -> UInt8 { UInt8(truncatingIfNeeded: words[position] >> 56) }

  @inlinable @inline(__always)
  package func payload(at position: Int) -> Int { Int(words[position] & 0x00FF_FFFF_FFFF_FFFF) }

  @inlinable public func kind(at position: Int) -> Kind {
    switch type(at: position) {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    default: .number
    }
  }

  /// The position after the value, where its right neighbour, or the end of its parent, stands.
  @inlinable @inline(__always)
  public func next(after position: Int) -> Int {
    switch type(at: position) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): Int(UInt32(truncatingIfNeeded: words[position]))
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): position + 2
    default: position + 1
    }
  }

  /// The positions between which an array's elements, or an object's names and values in turn, stand.
  @inlinable @inline(__always)
  public func contents(at position: Int) -> Range<Int> {
    (position + 1)..<(Int(UInt32(truncatingIfNeeded: words[position])) - 1)
  }

  /// The UTF-8 bytes of the string (or name) at `position`.
  @inlinable @inline(__always)
  public func utf8(at position: Int) -> UnsafeRawBufferPointer {
    let start = UnsafeRawPointer(strings + payload(at: position))
    return UnsafeRawBufferPointer(start: start + 4, count: Int(start.loadUnaligned(as: UInt32.self)))
  }

  public func string(at position: Int) -> String { String(decoding: utf8(at: position), as: UTF8.self) }
}
