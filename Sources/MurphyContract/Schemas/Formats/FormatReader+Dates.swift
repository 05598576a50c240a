extension FormatReader {
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

  /// `duration` (RFC 3339 appendix A): `P` and then weeks alone, or years, months, days, each followed only by the
  /// next smaller unit, then `T` with hours, minutes, seconds by the same rule.
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

  /// A number was read: its unit, and further numbers with the units right behind it.
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
