import Glibc

/// The field lines of an answer, read in place: nothing is allocated.
package struct HeaderBlock {
  package let bytes: UnsafeRawBufferPointer

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// A field line: ranges of the block. Optional white space around the value is left out (RFC 9110 §5.5).
  package struct Line {
    package let name: UnsafeRawBufferPointer
    package let value: UnsafeRawBufferPointer
  }

  /// Reads the line at `offset` and moves past it; nil at the end. Lines without a colon are skipped.
  package func next(_ offset: inout Int) -> Line? {
    while offset < bytes.count {
      let start = offset
      let end = place(of: UInt8(ascii: "\n"), in: start..<bytes.count)
      let colon = place(of: UInt8(ascii: ":"), in: start..<end)
      offset = end + 1
      guard colon > start, colon < end else { continue }
      var first = colon + 1
      var last = end
      while first < last, isBlank(bytes[first]) { first += 1 }
      while last > first, isBlank(bytes[last - 1]) { last -= 1 }
      return Line(
        name: UnsafeRawBufferPointer(rebasing: bytes[start..<colon]),
        value: UnsafeRawBufferPointer(rebasing: bytes[first..<last]))
    }
    return nil
  }

  /// Where a byte stands first; the end of the range if nowhere.
  private func place(of byte: UInt8, in range: Range<Int>) -> Int {
    guard let base = bytes.baseAddress, let found = memchr(base + range.lowerBound, Int32(byte), range.count) else {
      return range.upperBound
    }
    return UnsafeRawPointer(found) - base
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// Whether `name` is `lowercased` without regard to ASCII case.
  package static func matches(_ name: UnsafeRawBufferPointer, _ lowercased: [UInt8]) -> Bool {
    guard name.count == lowercased.count else { return false }
    for index in 0..<name.count where lower(name[index]) != lowercased[index] { return false }
    return true
  }

  package static func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
