extension JSONParser {
  mutating func skipSpace() {
    while index < text.count {
      switch text[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  /// A string without escapes is copied in one go; one with escapes by pieces.
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
    throw error(.syntax, "a string that does not end")
  }

  private func decoded(_ pieces: [UInt8], _ start: Int) throws(JSONError) -> String {
    let string =
      pieces.isEmpty
      ? String(validating: text[start..<index], as: UTF8.self)
      : String(validating: pieces + text[start..<index], as: UTF8.self)
    guard let string else { throw JSONError(.syntax, at: start, in: text, "a string that is not UTF-8") }
    return string
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(JSONError) {
    guard index + 1 < text.count else { throw error(.syntax, "a string that does not end") }
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
    default: throw error(.syntax, "an escape that JSON does not have")
    }
    bytes.append(plain)
    index += 2
  }

  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    guard let first = JSONScanner.hex4(in: text, at: index + 2) else {
      throw error(.syntax, "\\u without four hexadecimal digits")
    }
    index += 6
    if let scalar = Unicode.Scalar(first) { return scalar }
    // Half of a surrogate pair is JSON, though no text (RFC 8259 §8.2): it reads as U+FFFD.
    guard first < 0xDC00, index + 1 < text.count, text[index] == UInt8(ascii: "\\"),
      text[index + 1] == UInt8(ascii: "u"), let second = JSONScanner.hex4(in: text, at: index + 2),
      (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { return "\u{FFFD}" }
    index += 6
    return scalar
  }

  func unexpected(_ expected: String) -> JSONError {
    guard index < text.count else { return error(.syntax, "the text ends where \(expected) is expected") }
    let byte = text[index]
    let found =
      (0x21..<0x7F).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16))"
    return error(.syntax, "\(found) where \(expected) is expected")
  }

  func error(_ kind: JSONError.Kind, _ message: String) -> JSONError {
    JSONError(kind, at: index, in: text, message)
  }
}
