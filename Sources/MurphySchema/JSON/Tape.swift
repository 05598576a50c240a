import CSimdjson

/// A parsed document as simdjson's tape: 64-bit words, the type in the upper byte, in document order.
///
/// The accessors are inlined into other modules because a validation calls them for every value.
/// A view: valid until its `TapeParser` parses again or is released, and while the parsed bytes live. A value is
/// identified by the position of its word. Every access is a few loads. Nothing here allocates except `string(at:)`,
/// `value(at:)` and `numberText(at:)`.
@frozen public struct Tape {
  @usableFromInline package let words: UnsafePointer<UInt64>
  @usableFromInline package let strings: UnsafePointer<UInt8>
  @usableFromInline package let source: UnsafeRawBufferPointer
  @usableFromInline let parser: OpaquePointer

  /// The types of JSON values (RFC 8259 §3).
  public enum ValueType: Sendable { case null, bool, number, string, array, object }

  /// The position of the document's value.
  @inlinable public var root: Int { 1 }

  /// The character with which simdjson marks the type.
  @inlinable @inline(__always)
  package func type(at position: Int) -> UInt8 { UInt8(truncatingIfNeeded: words[position] >> 56) }

  /// A length or a position, by type.
  @inlinable @inline(__always)
  package func payload(at position: Int) -> Int { Int(words[position] & 0x00FF_FFFF_FFFF_FFFF) }

  /// The type of the value at a position of the tape.
  @inlinable public func kind(at position: Int) -> ValueType {
    switch type(at: position) {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    default: .number
    }
  }

  /// The position after the value: its right neighbour, or the end of its parent.
  @inlinable @inline(__always)
  public func next(after position: Int) -> Int {
    switch type(at: position) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): Int(UInt32(truncatingIfNeeded: words[position]))
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): position + 2
    default: position + 1
    }
  }

  /// The range of an array's elements, or of an object's alternating names and values.
  @inlinable @inline(__always)
  public func contents(at position: Int) -> Range<Int> {
    (position + 1)..<(Int(UInt32(truncatingIfNeeded: words[position])) - 1)
  }

  /// The UTF-8 bytes of the string (or name) at `position`.
  @inlinable @inline(__always)
  public func utf8(at position: Int) -> UnsafeRawBufferPointer {
    let start = text(at: position)
    return UnsafeRawBufferPointer(start: start + 4, count: Int(start.loadUnaligned(as: UInt32.self)))
  }

  /// The string (or name) at `position` as simdjson keeps it: its length in four bytes, then its bytes.
  @inlinable @inline(__always)
  package func text(at position: Int) -> UnsafeRawPointer { UnsafeRawPointer(strings + payload(at: position)) }

  /// The text of the string at a position of the tape.
  public func string(at position: Int) -> String { String(decoding: utf8(at: position), as: UTF8.self) }
}

/// The result of a parse.
public enum TapeResult {
  case tape(Tape)
  /// JSON that the tape cannot represent (whole numbers beyond 64 bits, numbers beyond a double), from the exact
  /// parser.
  case value(JSONValue)
  case malformed(JSONError)
}

/// A simdjson parser that reuses its memory for all documents. Used by one thread only.
public final class TapeParser {
  private let parser: OpaquePointer
  private let maximumSize: Int
  /// The last result of `parsed`.
  private var last: Tape?

  /// - Parameter maximumSize: the maximum size of a document in bytes; a larger one is an error of kind `tooLarge`.
  ///   simdjson keeps up to 18 times the size of the largest document it has parsed.
  public init(maximumSize: Int = 128 << 20) {
    self.maximumSize = maximumSize
    guard let parser = csimdjson_create(maximumSize, JSONValue.maximumDepth) else {
      // Only a few hundred bytes are needed. Without them the process cannot continue.
      preconditionFailure("out of memory")
    }
    self.parser = parser
  }

  deinit { csimdjson_destroy(parser) }

  /// Parses one document. The tape is valid until the next call, and while `bytes` live.
  /// Does not allocate once the parser has seen a document of that size.
  public func parse(_ bytes: UnsafeRawBufferPointer) -> TapeResult {
    last = nil
    var tape = csimdjson_tape()
    let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    if csimdjson_parse(parser, start, bytes.count, &tape) == 0 {
      return .tape(Tape(words: tape.words, strings: tape.strings, source: bytes, parser: parser))
    }
    return explain(bytes)
  }

  /// Like `parse`, but parses a document only once for several readers. Call `forget` if the bytes have changed.
  public func parsed(_ bytes: UnsafeRawBufferPointer) -> TapeResult {
    if let last, last.source.baseAddress == bytes.baseAddress, last.source.count == bytes.count { return .tape(last) }
    let result = parse(bytes)
    if case .tape(let tape) = result { last = tape }
    return result
  }

  /// Invalidates the last result, because the bytes have changed.
  public func forget() { last = nil }

  /// simdjson reports neither the mistake nor its position, and rejects some valid numbers. The exact parser decides.
  private func explain(_ bytes: UnsafeRawBufferPointer) -> TapeResult {
    if bytes.count > maximumSize {
      let message = "the document has \(bytes.count) bytes, but at most \(maximumSize) bytes can be parsed"
      return .malformed(JSONError(.tooLarge, at: 0, in: bytes, message))
    }
    do throws(JSONError) {
      return .value(try JSONValue.parse(bytes))
    } catch {
      return .malformed(error)
    }
  }
}

extension Tape {
  /// The original spelling of the number. The first call after a parse costs a pass over the tape.
  public func numberText(at position: Int) -> String { String(decoding: numberBytes(at: position), as: UTF8.self) }

  /// The bytes of the number in the source; empty if they cannot be found.
  package func numberBytes(at position: Int) -> UnsafeRawBufferPointer {
    let start = csimdjson_number_offset(parser, position)
    guard start < source.count else { return UnsafeRawBufferPointer(rebasing: source[0..<0]) }
    let end = JSONScanner.numberEnd(in: source, from: start)
    return UnsafeRawBufferPointer(rebasing: source[start..<max(start, end)])
  }

  /// The value at `position` with all its descendants. A repeated name has its last value.
  public func value(at position: Int) -> JSONValue {
    switch type(at: position) {
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "t"): return .bool(true)
    case UInt8(ascii: "f"): return .bool(false)
    case UInt8(ascii: "\""): return .string(string(at: position))
    case UInt8(ascii: "["):
      let contents = contents(at: position)
      var values: [JSONValue] = []
      var index = contents.lowerBound
      while index < contents.upperBound {
        values.append(value(at: index))
        index = next(after: index)
      }
      return .array(values)
    case UInt8(ascii: "{"):
      let contents = contents(at: position)
      var object = JSONObject()
      var index = contents.lowerBound
      while index < contents.upperBound {
        object[string(at: index)] = value(at: index + 1)
        index = next(after: index + 1)
      }
      return .object(object)
    default: return .number(JSONNumber(checked: numberText(at: position)))
    }
  }

  /// The value of the last member named `key`; nil if there is none. Cost: the members.
  public func member(_ key: String, of position: Int) -> Int? {
    guard type(at: position) == UInt8(ascii: "{") else { return nil }
    var key = key
    return key.withUTF8 { wanted in
      let contents = contents(at: position)
      var found: Int?
      var index = contents.lowerBound
      while index < contents.upperBound {
        if utf8(at: index).elementsEqual(wanted) { found = index + 1 }
        index = next(after: index + 1)
      }
      return found
    }
  }
}
