/// JSON's lexical grammar on raw bytes.
package enum JSONScanner {
  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// The end of the number that starts at `start`, or -1 if the bytes are not a number (RFC 8259 §6): `-? (0 |
  /// [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
  package static func numberEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    func digits() -> Bool {
      let first = index
      while index < text.count, isDigit(text[index]) { index += 1 }
      return index > first
    }
    if index < text.count, text[index] == 0x2D { index += 1 }
    if index < text.count, text[index] == 0x30 {
      index += 1
    } else if !digits() {
      return -1
    }
    if index < text.count, text[index] == 0x2E {
      index += 1
      if !digits() { return -1 }
    }
    if index < text.count, text[index] | 0x20 == 0x65 {
      index += 1
      if index < text.count, text[index] == 0x2B || text[index] == 0x2D { index += 1 }
      if !digits() { return -1 }
    }
    return index
  }

  /// The value of four hexadecimal digits; nil for other characters.
  static func hex4(in text: UnsafeRawBufferPointer, at start: Int) -> UInt32? {
    guard start + 4 <= text.count else { return nil }
    var value: UInt32 = 0
    for index in start..<(start + 4) {
      guard let digit = Character(Unicode.Scalar(text[index])).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
