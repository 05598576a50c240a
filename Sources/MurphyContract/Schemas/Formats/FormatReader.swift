/// Reads fixed grammars from bytes, left to right.
struct FormatReader {
  let text: UnsafeRawBufferPointer
  var index = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  var isAtEnd: Bool { index == text.count }

  /// 0 at the end, which no grammar here knows.
  @inline(__always)
  var peek: UInt8 { index < text.count ? text[index] : 0 }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  @inline(__always)
  static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }

  @inline(__always)
  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  @inline(__always)
  mutating func skip(_ byte: UInt8) -> Bool {
    guard index < text.count, text[index] == byte else { return false }
    index += 1
    return true
  }

  /// Passes over the bytes of the set that come next.
  @inline(__always)
  mutating func skip(_ set: ByteSet) {
    let count = text.count
    let table = ByteSet.table
    var next = index
    while next < count, set.isIn(table, text[next]) { next &+= 1 }
    index = next
  }

  /// Exactly two digits, -1 where they are not.
  @inline(__always)
  mutating func twoDigits() -> Int {
    guard index + 2 <= text.count else { return -1 }
    let tens = text[index] &- 0x30
    let ones = text[index + 1] &- 0x30
    guard tens < 10, ones < 10 else { return -1 }
    index += 2
    return Int(tens) * 10 + Int(ones)
  }

  mutating func digits() -> Bool {
    let start = index
    while Self.isDigit(peek) { index += 1 }
    return index > start
  }

  /// Digits without a leading zero.
  mutating func wholeNumber() -> Bool {
    let start = index
    guard digits() else { return false }
    return text[start] != 0x30 || index == start + 1
  }
}
