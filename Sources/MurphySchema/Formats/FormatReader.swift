/// Reads fixed grammars from bytes, left to right.
struct FormatReader {
  let text: UnsafeRawBufferPointer
  var index = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  var isAtEnd: Bool { index == text.count }

  /// 0 at the end, which no grammar here allows.
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

  /// Skips the next bytes that are in the set.
  @inline(__always)
  mutating func skip(_ set: ByteSet) {
    let count = text.count
    let table = ByteSet.table
    var next = index
    while next < count, set.isIn(table, text[next]) { next &+= 1 }
    index = next
  }

  /// Exactly two digits; -1 if there are none.
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

  /// `pct-encoded` (RFC 3986 §2.1)
  @inline(__always)
  mutating func percentEncoded() -> Bool {
    guard peek == 0x25, index + 2 < text.count, Self.isHex(text[index + 1]), Self.isHex(text[index + 2]) else {
      return false
    }
    index += 3
    return true
  }

  /// Digits without a leading zero.
  mutating func wholeNumber() -> Bool {
    let start = index
    guard digits() else { return false }
    return text[start] != 0x30 || index == start + 1
  }

  /// Four numbers to 255 in decimal without leading zeros (RFC 3986 `IPv4address`, RFC 2673 §3.2).
  mutating func ipv4() -> Bool {
    for part in 0..<4 {
      if part > 0, !skip(0x2E) { return false }
      let start = index
      var value = 0
      while Self.isDigit(peek), index - start < 4 {
        value = value * 10 + Int(peek & 15)
        index += 1
      }
      let length = index - start
      if length == 0 || length > 3 || value > 255 || (length > 1 && text[start] == 0x30) { return false }
    }
    return true
  }

  /// RFC 4291 §2.2: eight groups of one to four hexadecimal digits, one run of zero groups as `::`. The last two groups
  /// may be an IPv4 address. Without zone.
  mutating func ipv6() -> Bool {
    var groups = 0
    var isCompressed = false
    if peek == 0x3A {
      index += 1
      guard skip(0x3A) else { return false }
      isCompressed = true
      if !Self.isHex(peek) { return true }
    }
    while true {
      let start = index
      while Self.isHex(peek), index - start < 5 { index += 1 }
      if peek == 0x2E {
        index = start
        guard ipv4() else { return false }
        groups += 2
        break
      }
      guard (1...4).contains(index - start) else { return false }
      groups += 1
      guard peek == 0x3A else { break }
      index += 1
      if skip(0x3A) {
        if isCompressed { return false }
        isCompressed = true
        if !Self.isHex(peek) { break }
      }
      if groups > 8 { return false }
    }
    return isCompressed ? groups <= 7 : groups == 8
  }

  /// `full-date` (RFC 3339 §5.6, days by §5.7)
  mutating func date() -> Bool {
    let century = twoDigits()
    let decade = twoDigits()
    guard century >= 0, decade >= 0, skip(0x2D) else { return false }
    let month = twoDigits()
    guard skip(0x2D), (1...12).contains(month) else { return false }
    let day = twoDigits()
    let year = century * 100 + decade
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length = month == 2 ? (isLeap ? 29 : 28) : 30 + ((month + month >> 3) & 1)
    return day >= 1 && day <= length
  }

  /// `full-time`. A leap second may only be 23:59:60 in UTC (RFC 3339 §5.7 and appendix D).
  mutating func time() -> Bool {
    let hour = twoDigits()
    guard (0...23).contains(hour), skip(0x3A) else { return false }
    let minute = twoDigits()
    guard (0...59).contains(minute), skip(0x3A) else { return false }
    let second = twoDigits()
    guard (0...60).contains(second) else { return false }
    if skip(0x2E), !digits() { return false }
    var offset = 0
    switch peek {
    case 0x5A, 0x7A: index += 1
    case 0x2B, 0x2D:
      let sign = peek == 0x2B ? 1 : -1
      index += 1
      let hours = twoDigits()
      guard (0...23).contains(hours), skip(0x3A) else { return false }
      let minutes = twoDigits()
      guard (0...59).contains(minutes) else { return false }
      offset = sign * (hours * 60 + minutes)
    default: return false
    }
    return second < 60 || (hour * 60 + minute - offset + 2880) % 1440 == 1439
  }

  /// `date-time`; T and Z may be lower case.
  mutating func dateTime() -> Bool {
    guard date(), peek | 0x20 == 0x74 else { return false }
    index += 1
    return time()
  }

  /// `duration` (RFC 3339 appendix A): `P` with weeks only, or with years, months, days, then `T` with hours, minutes,
  /// seconds. A unit may only be followed by the next smaller one.
  mutating func duration() -> Bool {
    guard skip(0x50) else { return false }
    if peek == 0x54 { return clock() }
    guard digits() else { return false }
    if skip(0x57) { return true }
    guard units([0x59, 0x4D, 0x44]) else { return false }
    return peek == 0x54 ? clock() : true
  }

  private mutating func clock() -> Bool {
    index += 1
    return digits() && units([0x48, 0x4D, 0x53])
  }

  /// Reads the unit of the last number, and further numbers with their units.
  private mutating func units(_ names: [UInt8]) -> Bool {
    guard var position = names.firstIndex(of: peek) else { return false }
    index += 1
    while Self.isDigit(peek) {
      position += 1
      guard digits(), position < names.count, skip(names[position]) else { return false }
    }
    return true
  }
}
