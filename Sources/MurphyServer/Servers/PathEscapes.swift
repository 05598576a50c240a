import HTTPTypes

extension HTTPRequest {
  /// Decodes letters, digits, `-`, `.`, `_` and `~` in the path: URLs that differ only in this identify one resource
  /// (RFC 3986 §6.2.2.2). The router compares paths byte by byte.
  ///
  /// - Returns: true if the path has changed.
  mutating func normalizePath() -> Bool {
    guard let target = path, target.utf8.contains(UInt8(ascii: "%")) else { return false }
    let bytes = Array(target.utf8)
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    var normal: [UInt8] = []
    var index = bytes.startIndex
    while index < end {
      let byte = Self.unreserved(bytes[index..<end].prefix(3))
      normal.append(byte ?? bytes[index])
      index += byte == nil ? 1 : 3
    }
    guard normal.count < end else { return false }
    path = String(decoding: normal + bytes[end...], as: UTF8.self)
    return true
  }

  /// The character of an escape, such as `%31`; nil for another text, and for a character with a meaning in URLs.
  private static func unreserved(_ escape: ArraySlice<UInt8>) -> UInt8? {
    let digits = escape.dropFirst().compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard escape.first == UInt8(ascii: "%"), digits.count == 2 else { return nil }
    let byte = UInt8(digits[0] * 16 + digits[1])
    let character = Character(UnicodeScalar(byte))
    return character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character)) ? byte : nil
  }
}
