/// Comparisons without regard to the case of ASCII letters, as names of header fields want them (RFC 9110 §5.1).
package enum ASCIICase {
  @inline(__always)
  package static func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  package static func lower(_ text: String) -> String {
    String(decoding: text.utf8.map { lower($0) as UInt8 }, as: UTF8.self)
  }

  /// Eight bytes at once.
  @inline(__always)
  package static func lower(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let low = word & (0x7F &* ones)
    // The upper bit of each byte says whether the byte is above `Z`, and whether it is `A` or above.
    let above = low &+ ((0x7F - 0x5A) &* ones)
    let from = low &+ ((0x80 - 0x41) &* ones)
    return word | (((from ^ above) & ~word & (0x80 &* ones)) >> 2)
  }

  /// Whether the bytes are `lowercased`, in any case.
  package static func matches(_ bytes: UnsafeRawBufferPointer, _ lowercased: [UInt8]) -> Bool {
    guard bytes.count == lowercased.count else { return false }
    for index in 0..<bytes.count where lower(bytes[index]) != lowercased[index] { return false }
    return true
  }

  /// Whether the bytes are `lowercased`, in any case.
  package static func matches(_ bytes: UnsafeRawBufferPointer, _ lowercased: StaticString) -> Bool {
    guard bytes.count == lowercased.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where lower(bytes[index]) != lowercased.utf8Start[index] { return false }
    return true
  }

  /// Whether `lowercased` stands somewhere in the bytes, in any case.
  package static func holds(_ bytes: UnsafeRawBufferPointer, _ lowercased: StaticString) -> Bool {
    let length = lowercased.utf8CodeUnitCount
    guard bytes.count >= length else { return false }
    let first = lowercased.utf8Start[0]
    return (0...(bytes.count - length)).contains { start in
      lower(bytes[start]) == first
        && matches(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)]), lowercased)
    }
  }
}
