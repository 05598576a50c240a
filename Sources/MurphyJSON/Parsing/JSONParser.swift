/// The exact parser: recursive descent over bytes, bounded in depth.
struct JSONParser {
  let text: UnsafeRawBufferPointer
  var index = 0
  private var depth = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  mutating func document() throws(JSONError) -> JSONValue {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { throw error(.syntax, "a byte order mark, which JSON does not allow") }
    let value = try value()
    skipSpace()
    if index < text.count { throw unexpected("the end of the text") }
    return value
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipSpace()
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
        let key = try string()
        skipSpace()
        guard index < text.count, text[index] == UInt8(ascii: ":") else { throw unexpected("':' after the name") }
        index += 1
        object[key] = try value()
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
      throw error(.tooDeep, "nested deeper than \(JSONValue.maximumDepth) levels")
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
    guard end > 0 else { throw error(.syntax, "a number that is not complete or has a leading zero") }
    if end < text.count, JSONScanner.isDigit(text[end]) { throw error(.syntax, "a number with a leading zero") }
    defer { index = end }
    return .number(JSONNumber(checked: String(decoding: text[index..<end], as: UTF8.self)))
  }
}
