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
    guard let start = text.baseAddress else { return }
    let table = ByteSet.table
    let end = start + text.count
    var next = start + index
    while end - next >= 4, set.areIn(table, next.loadUnaligned(as: UInt32.self)) { next += 4 }
    while next < end, set.isIn(table, next.load(as: UInt8.self)) { next += 1 }
    index = next - start
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
    guard skip(0x2D) else { return false }
    return Self.isDate(century * 100 + decade, month, twoDigits())
  }

  /// True if the month has the day.
  @inline(__always)
  private static func isDate(_ year: Int, _ month: Int, _ day: Int) -> Bool {
    guard (1...12).contains(month) else { return false }
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
    return time(hour, minute, twoDigits())
  }

  /// The rest of `full-time` after the seconds.
  private mutating func time(_ hour: Int, _ minute: Int, _ second: Int) -> Bool {
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

  /// `date-time`; T and Z may be lower case. Reads `2024-01-31T10:30:00` eight bytes at a time, and then what follows.
  mutating func dateTime() -> Bool {
    guard text.count >= 20, let start = text.baseAddress else { return false }
    // Digits become their values. Dashes, colons and the T become 0.
    let date = Self.word(start) ^ 0x2D30_302D_3030_3030
    let clock = Self.word(start + 8) & ~0x20_0000 ^ 0x3030_3A30_3054_3030
    let seconds = Self.word(start + 11) ^ 0x3030_3A30_303A_3030
    // The sum has the upper bit of a byte if a digit is above 9 or a separator above 0.
    let sums =
      (date &+ 0x7F76_767F_7676_7676) | (clock &+ 0x7676_7F76_767F_7676) | (seconds &+ 0x7676_7F76_767F_7676)
    guard (sums | date | clock | seconds) & 0x8080_8080_8080_8080 == 0 else { return false }
    let (hour, minute) = (Self.number(clock, 3), Self.number(clock, 6))
    index = 19
    return Self.isDate(Self.number(date, 0) * 100 + Self.number(date, 2), Self.number(date, 5), Self.number(clock, 0))
      && hour < 24 && minute < 60 && time(hour, minute, Self.number(seconds, 6))
  }

  @inline(__always)
  private static func word(_ start: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
  }

  /// The number that two digits of a word are, the first one at `byte`.
  @inline(__always)
  private static func number(_ word: UInt64, _ byte: UInt64) -> Int {
    Int((word &>> (byte * 8) & 15) * 10 + (word &>> (byte * 8 + 8) & 15))
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
