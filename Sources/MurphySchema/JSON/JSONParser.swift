import Glibc

/// The position of one value in a text, in bytes from the start.
package struct JSONPlace: Sendable {
  /// In bytes from the start of the text.
  package let offset: Int
  /// The position of its name, at the opening quote; nil for an item, and for the whole text.
  package let name: Int?
  /// The name, if the object has it twice.
  package let repeated: String?
  /// The number of values inside, including this one.
  package fileprivate(set) var size = 1
}

/// The exact parser: recursive descent over bytes with bounded depth.
struct JSONParser {
  let text: UnsafeRawBufferPointer
  var index = 0
  private var depth = 0
  /// The positions of all values in the order of the text; nil if not needed.
  var places: [JSONPlace]?

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  mutating func document() throws(JSONError) -> JSONValue {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { throw error(.syntax, "a byte order mark, which JSON does not allow") }
    let value = try value()
    skipSpace()
    if index < text.count { throw unexpected("the end of the text") }
    return value
  }

  private mutating func value(named name: Int? = nil, repeated: String? = nil) throws(JSONError) -> JSONValue {
    skipSpace()
    guard let place = places?.count else { return try content() }
    places?.append(JSONPlace(offset: index, name: name, repeated: repeated))
    let value = try content()
    let end = places?.count ?? 0
    places?[place].size = end - place
    return value
  }

  private mutating func content() throws(JSONError) -> JSONValue {
    guard index < text.count else { throw unexpected("a value") }
    switch text[index] {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw unexpected("a value")
    }
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    try descend()
    var object = JSONObject()
    if try !closes(UInt8(ascii: "}")) {
      repeat {
        skipSpace()
        guard index < text.count, text[index] == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
        let name = index
        let key = try string()
        skipSpace()
        guard index < text.count, text[index] == UInt8(ascii: ":") else { throw unexpected("':' after the name") }
        index += 1
        let isRepeated = places != nil && object.position(of: key) != nil
        object[key] = try value(named: name, repeated: isRepeated ? key : nil)
      } while try separated(by: UInt8(ascii: "}"))
    }
    depth -= 1
    return .object(object)
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    try descend()
    var values: [JSONValue] = []
    if try !closes(UInt8(ascii: "]")) {
      repeat { values.append(try value()) } while try separated(by: UInt8(ascii: "]"))
    }
    depth -= 1
    return .array(values)
  }

  private mutating func descend() throws(JSONError) {
    depth += 1
    guard depth <= JSONValue.maximumDepth else {
      throw error(.tooDeep, "values are nested deeper than \(JSONValue.maximumDepth) levels")
    }
    index += 1
  }

  private mutating func closes(_ close: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard index < text.count, text[index] == close else { return false }
    index += 1
    return true
  }

  private mutating func separated(by close: UInt8) throws(JSONError) -> Bool {
    if try closes(close) { return false }
    guard index < text.count, text[index] == UInt8(ascii: ",") else {
      throw unexpected("',' or '\(Character(Unicode.Scalar(close)))'")
    }
    index += 1
    return true
  }

  private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let expected = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard text[index...].starts(with: expected) else { throw unexpected("a value") }
    index += expected.count
    return value
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let end = JSONScanner.numberEnd(in: text, from: index)
    guard end > 0 else { throw error(.syntax, "an incomplete number, or a number with a leading zero") }
    if end < text.count, JSONScanner.isDigit(text[end]) { throw error(.syntax, "a number with a leading zero") }
    defer { index = end }
    return .number(JSONNumber(checked: String(decoding: text[index..<end], as: UTF8.self)))
  }
}

/// A text that is not JSON, or exceeds the parsers' limits.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of the error.
  package enum Reason: Sendable, Hashable {
    case syntax
    /// Nested deeper than `JSONValue.maximumDepth`.
    case tooDeep
    /// Larger than the parser's limit.
    case tooLarge
  }

  /// The kind of the error.
  package let kind: Reason
  /// Bytes from the start of the text.
  public let offset: Int
  /// From 1. Lines end with LF.
  public let line: Int
  /// From 1, in bytes.
  public let column: Int
  /// The found and the expected, without the position.
  public let message: String

  init(_ kind: Reason, at offset: Int, in text: UnsafeRawBufferPointer, _ message: String) {
    let end = min(offset, text.count)
    var (line, lineStart) = (1, 0)
    // Line by line and not byte by byte, because a server's line may have megabytes.
    if let base = text.baseAddress {
      while lineStart < end, let found = memchr(base + lineStart, 0x0A, end - lineStart) {
        line += 1
        lineStart = UnsafeRawPointer(found) - base + 1
      }
    }
    (self.kind, self.offset, self.message) = (kind, offset, message)
    (self.line, column) = (line, offset - lineStart + 1)
  }

  public var description: String { "line \(line), column \(column): \(message)" }
}

extension JSONParser {
  mutating func skipSpace() {
    while index < text.count {
      switch text[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  /// A string without escapes is copied at once; one with escapes in pieces.
  mutating func string() throws(JSONError) -> String {
    index += 1
    var start = index
    var pieces: [UInt8] = []
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""):
        defer { index += 1 }
        return try decoded(pieces, start)
      case UInt8(ascii: "\\"):
        pieces.append(contentsOf: text[start..<index])
        try escape(into: &pieces)
        start = index
      case 0..<0x20: throw error(.syntax, "a control character inside a string; write it as \\u00XX")
      default: index += 1
      }
    }
    throw error(.syntax, "a string has no closing quote")
  }

  private func decoded(_ pieces: [UInt8], _ start: Int) throws(JSONError) -> String {
    let string =
      pieces.isEmpty
      ? String(validating: text[start..<index], as: UTF8.self)
      : String(validating: pieces + text[start..<index], as: UTF8.self)
    guard let string else { throw JSONError(.syntax, at: start, in: text, "a string is not valid UTF-8") }
    return string
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(JSONError) {
    guard index + 1 < text.count else { throw error(.syntax, "a string has no closing quote") }
    let plain: UInt8
    switch text[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = text[index + 1]
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0C
    case UInt8(ascii: "n"): plain = 0x0A
    case UInt8(ascii: "r"): plain = 0x0D
    case UInt8(ascii: "t"): plain = 0x09
    case UInt8(ascii: "u"):
      bytes.append(contentsOf: Array(String(Character(try unicodeEscape())).utf8))
      return
    default: throw error(.syntax, "an escape sequence is not valid in JSON")
    }
    bytes.append(plain)
    index += 2
  }

  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    guard let first = JSONScanner.hex4(in: text, at: index + 2) else {
      throw error(.syntax, "\\u is not followed by four hexadecimal digits")
    }
    index += 6
    if let scalar = Unicode.Scalar(first) { return scalar }
    // Half of a surrogate pair is valid JSON but not valid Unicode (RFC 8259 §8.2). It becomes U+FFFD.
    guard first < 0xDC00, index + 1 < text.count, text[index] == UInt8(ascii: "\\"),
      text[index + 1] == UInt8(ascii: "u"), let second = JSONScanner.hex4(in: text, at: index + 2),
      (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { return "\u{FFFD}" }
    index += 6
    return scalar
  }

  func unexpected(_ expected: String) -> JSONError {
    guard index < text.count else { return error(.syntax, "the text ends, but \(expected) is expected") }
    let byte = text[index]
    let found =
      (0x21..<0x7F).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16))"
    return error(.syntax, "found \(found), expected \(expected)")
  }

  func error(_ kind: JSONError.Reason, _ message: String) -> JSONError {
    JSONError(kind, at: index, in: text, message)
  }
}

extension JSONValue {
  /// Parses one JSON text (RFC 8259), UTF-8 only. Strict: no comments, no trailing commas, no byte order mark. A
  /// repeated name has its last value. A lone surrogate (`"\ud800"`) becomes U+FFFD. Nesting beyond `maximumDepth` is
  /// an error, not a crash. Cost: linear.
  public static func parse(_ bytes: some Collection<UInt8>) throws(JSONError) -> JSONValue {
    let result: Result<JSONValue, JSONError>? = bytes.withContiguousStorageIfAvailable { buffer in
      parse(buffer: UnsafeRawBufferPointer(buffer))
    }
    if let result { return try result.get() }
    return try Array(bytes).withUnsafeBytes { parse(buffer: $0) }.get()
  }

  /// Reads one JSON text (RFC 8259).
  ///
  /// - Throws: a `JSONError` with the position of the first mistake.
  public static func parse(_ text: String) throws(JSONError) -> JSONValue {
    var text = text
    return try text.withUTF8 { parse(buffer: UnsafeRawBufferPointer($0)) }.get()
  }

  /// As ``parse(_:)``, with the positions of all values in the order of the text.
  package static func located(_ bytes: [UInt8]) throws(JSONError) -> (value: JSONValue, places: [JSONPlace]) {
    let result = bytes.withUnsafeBytes { buffer in
      var parser = JSONParser(buffer)
      parser.places = []
      return parse(&parser).map { (value: $0, places: parser.places ?? []) }
    }
    return try result.get()
  }

  private static func parse(buffer: UnsafeRawBufferPointer) -> Result<JSONValue, JSONError> {
    var parser = JSONParser(buffer)
    return parse(&parser)
  }

  private static func parse(_ parser: inout JSONParser) -> Result<JSONValue, JSONError> {
    do throws(JSONError) {
      return .success(try parser.document())
    } catch {
      return .failure(error)
    }
  }
}
