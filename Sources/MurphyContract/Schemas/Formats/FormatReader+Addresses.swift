extension FormatReader {
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

  /// RFC 4291 §2.2: eight groups of one to four hexadecimal digits, one run of zero groups as `::`, the last two
  /// perhaps as an IPv4 address. Without zone.
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
}
