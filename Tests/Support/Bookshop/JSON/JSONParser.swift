/// Reads JSON strictly: no duplicate names, no lone surrogates, at most 100 levels.
struct JSONParser {
  struct Malformed: Error {
    var message: String
    var offset: Int
    var depth: Int
  }

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  /// Throws ``Malformed``.
  static func parse(_ bytes: [UInt8]) throws(Malformed) -> JSON {
    var parser = JSONParser(bytes: bytes)
    guard String(validating: bytes, as: UTF8.self) != nil else { throw parser.malformed("the text is not UTF-8") }
    let value = try parser.value()
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.malformed("something follows the value") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func malformed(_ message: String) -> Malformed {
    Malformed(message: "\(message), at byte \(position)", offset: position, depth: depth)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  private mutating func value() throws(Malformed) -> JSON {
    skipSpace()
    switch next ?? 0 {
    case UInt8(ascii: "{"): return try nested { parser throws(Malformed) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(Malformed) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default:
      if take("null") { return .null }
      if take("true") { return .bool(true) }
      if take("false") { return .bool(false) }
      throw malformed("this begins no value")
    }
  }

  private mutating func nested(_ read: (inout JSONParser) throws(Malformed) -> JSON) throws(Malformed) -> JSON {
    position += 1
    depth += 1
    guard depth <= 100 else { throw malformed("the text is nested deeper than 100 levels") }
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func array() throws(Malformed) -> JSON {
    var all: [JSON] = []
    skipSpace()
    if take("]") { return .array(all) }
    while true {
      all.append(try value())
      skipSpace()
      if take("]") { return .array(all) }
      guard take(",") else { throw malformed("a comma or the end of the array is missing") }
    }
  }

  private mutating func object() throws(Malformed) -> JSON {
    var members: [JSON.Member] = []
    var names: Set<[UInt8]> = []
    skipSpace()
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw malformed("the name of a member is missing") }
      let name = try string()
      guard names.insert(Array(name.utf8)).inserted else { throw malformed("a name stands twice in an object") }
      skipSpace()
      guard take(":") else { throw malformed("a colon is missing") }
      members.append(JSON.Member(name: name, value: try value()))
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw malformed("a comma or the end of the object is missing") }
    }
  }
}

extension JSONParser {
  private mutating func number() throws(Malformed) -> Number {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    return Number(text: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func digits() throws(Malformed) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw malformed("a digit is missing") }
  }

  private mutating func string() throws(Malformed) -> String {
    position += 1
    var result: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "\\"): result += String(Character(try escape())).utf8
      case 0..<0x20: throw malformed("a string holds a control character")
      default: result.append(byte)
      }
    }
    throw malformed("a string has no end")
  }

  private mutating func escape() throws(Malformed) -> Unicode.Scalar {
    let plain: [UInt8: Unicode.Scalar] = [
      UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
      UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]
    guard let byte = next else { throw malformed("a string has no end") }
    position += 1
    if let scalar = plain[byte] { return scalar }
    guard byte == UInt8(ascii: "u") else { throw malformed("there is no such escape") }
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\u") else { throw malformed("a surrogate stands alone") }
    let second = try unit()
    let value = 0x10000 + (first - 0xD800) << 10 + (second &- 0xDC00)
    guard (0xDC00..<0xE000).contains(second), let scalar = Unicode.Scalar(value) else {
      throw malformed("a surrogate stands alone")
    }
    return scalar
  }

  private mutating func unit() throws(Malformed) -> UInt32 {
    let text = bytes[position...].prefix(4)
    guard text.count == 4, text.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: text, as: UTF8.self), radix: 16)
    else { throw malformed("four hexadecimal digits are missing") }
    position += 4
    return value
  }
}
