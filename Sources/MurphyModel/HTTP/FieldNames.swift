/// Names of headers, numbered: those of ``FieldName`` first, then those that a contract documents.
///
/// Compiled once, shared by all loops. Looking up a name allocates nothing.
// @unchecked: plain memory that only the initialiser writes.
package final class FieldNames: @unchecked Sendable {
  /// The names that are read with every contract.
  package static let common = FieldNames([])

  private struct Entry {
    let length: Int
    /// The first and last eight bytes in lower case; for up to 16 bytes they are the whole name.
    let head: UInt64
    let tail: UInt64
    /// The position of the name in `text`.
    let offset: Int
    let concernsLimits: Bool
  }

  /// The number of names in every table.
  let commonCount: Int16
  private let entries: UnsafeMutableBufferPointer<Entry>
  /// Numbers by hash, with -1 for free slots.
  private let places: UnsafeMutableBufferPointer<Int16>
  private let text: UnsafeMutableBufferPointer<UInt8>

  /// - Parameter documented: additional names, in any case.
  package init(_ documented: [String]) {
    var names = FieldName.allCases.map(\.text)
    commonCount = Int16(names.count)
    var known = Set(names)
    for name in documented.map(ASCIICase.lower) where names.count < Int(Int16.max) && known.insert(name).inserted {
      names.append(name)
    }
    let bytes = names.flatMap { Array($0.utf8) }
    text = .allocate(capacity: bytes.count)
    _ = text.initialize(fromContentsOf: bytes)
    var size = 16
    while size < 4 * names.count { size *= 2 }
    places = .allocate(capacity: size)
    places.initialize(repeating: -1)
    entries = .allocate(capacity: names.count)
    var offset = 0
    for (number, name) in names.enumerated() {
      let length = name.utf8.count
      let view = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[offset..<(offset + length)])
      let (head, tail) = Self.words(of: view, readable: length)
      entries.initializeElement(
        at: number,
        to: Entry(
          length: length, head: head, tail: tail, offset: offset, concernsLimits: Self.concernsLimits(view)))
      offset += length
      var place = Self.hash(head, tail, length) & (size - 1)
      while places[place] >= 0 { place = (place + 1) & (size - 1) }
      places[place] = Int16(number)
    }
  }

  deinit {
    entries.deallocate()
    places.deallocate()
    text.deallocate()
  }

  /// The number of a name, in any case; -1 for an unknown one.
  package func number(of name: String) -> Int16 {
    var name = name
    return name.withUTF8 { find(UnsafeRawBufferPointer($0), readable: $0.count).number }
  }

  /// - Parameter readable: the number of bytes that may be read from the name's beginning.
  /// - Returns: the number, and whether a judge of limits may read the header.
  @inline(__always)
  func find(_ name: UnsafeRawBufferPointer, readable: Int) -> (number: Int16, concernsLimits: Bool) {
    let (head, tail) = Self.words(of: name, readable: readable)
    var place = Self.hash(head, tail, name.count) & (places.count - 1)
    while true {
      let number = places[place]
      if number < 0 { return (-1, Self.concernsLimits(name)) }
      let entry = entries[Int(number)]
      if entry.length == name.count, entry.head == head, entry.tail == tail, isSameMiddle(name, entry) {
        return (number, entry.concernsLimits)
      }
      place = (place + 1) & (places.count - 1)
    }
  }

  @inline(__always)
  private func isSameMiddle(_ name: UnsafeRawBufferPointer, _ entry: Entry) -> Bool {
    guard name.count > 16 else { return true }
    for index in 8..<(name.count - 8) where ASCIICase.lower(name[index]) != text[entry.offset + index] { return false }
    return true
  }

  @inline(__always)
  private static func words(of name: UnsafeRawBufferPointer, readable: Int) -> (UInt64, UInt64) {
    guard let start = name.baseAddress, !name.isEmpty else { return (0, 0) }
    if name.count >= 8 {
      let head = ASCIICase.lower(start.loadUnaligned(as: UInt64.self))
      guard name.count > 8 else { return (head, head) }
      return (head, ASCIICase.lower((start + (name.count - 8)).loadUnaligned(as: UInt64.self)))
    }
    var word: UInt64 = 0
    if readable >= 8 {
      word = start.loadUnaligned(as: UInt64.self) & ((1 &<< UInt64(name.count &* 8)) &- 1)
    } else {
      for index in 0..<name.count { word |= UInt64(name[index]) << UInt64(index * 8) }
    }
    let head = ASCIICase.lower(word)
    return (head, head)
  }

  @inline(__always)
  private static func hash(_ head: UInt64, _ tail: UInt64, _ length: Int) -> Int {
    let product = (head ^ (tail &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(length)) &* 0xBF58_476D_1CE4_E5B9
    return Int(truncatingIfNeeded: product >> 40)
  }

  /// True if the header concerns limits: its name holds `ratelimit`, `rate-limit` or `retry-after`. All such tests use
  /// this function.
  private static func concernsLimits(_ name: UnsafeRawBufferPointer) -> Bool {
    ASCIICase.holds(name, "ratelimit") || ASCIICase.holds(name, "rate-limit") || ASCIICase.holds(name, "retry-after")
  }

  /// True if a judge of limits may read a header with this name.
  package static func concernsLimits(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { concernsLimits(UnsafeRawBufferPointer($0)) }
  }
}

/// Comparisons that ignore the case of ASCII letters, as required for header names (RFC 9110 §5.1).
package enum ASCIICase {
  /// A byte that is no capital ASCII letter is returned unchanged.
  @inline(__always)
  package static func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  /// Only ASCII letters change; all other characters stay.
  package static func lower(_ text: String) -> String {
    String(decoding: text.utf8.map { lower($0) as UInt8 }, as: UTF8.self)
  }

  /// Converts eight bytes at once.
  @inline(__always)
  package static func lower(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let low = word & (0x7F &* ones)
    // The upper bit of each byte is set in `above` for bytes above `Z`, and in `from` for `A` and above.
    let above = low &+ ((0x7F - 0x5A) &* ones)
    let from = low &+ ((0x80 - 0x41) &* ones)
    return word | (((from ^ above) & ~word & (0x80 &* ones)) >> 2)
  }

  /// True if two strings of the same length are equal, in any case.
  package static func isSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index + 8 <= one.count {
      let words = (
        one.loadUnaligned(fromByteOffset: index, as: UInt64.self),
        other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      )
      if lower(words.0) != lower(words.1) { return false }
      index += 8
    }
    while index < one.count {
      if lower(one[index]) as UInt8 != lower(other[index]) { return false }
      index += 1
    }
    return true
  }

  /// True if the bytes equal `lowercased`, in any case.
  package static func matches(_ bytes: UnsafeRawBufferPointer, _ lowercased: [UInt8]) -> Bool {
    guard bytes.count == lowercased.count else { return false }
    for index in 0..<bytes.count where lower(bytes[index]) != lowercased[index] { return false }
    return true
  }

  /// True if the bytes equal `lowercased`, in any case.
  package static func matches(_ bytes: UnsafeRawBufferPointer, _ lowercased: StaticString) -> Bool {
    guard bytes.count == lowercased.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where lower(bytes[index]) != lowercased.utf8Start[index] { return false }
    return true
  }

  /// True if the bytes begin with `lowercased`, in any case.
  package static func begins(_ bytes: UnsafeRawBufferPointer, _ lowercased: StaticString) -> Bool {
    matches(UnsafeRawBufferPointer(rebasing: bytes.prefix(lowercased.utf8CodeUnitCount)), lowercased)
  }

  /// True if the bytes contain `lowercased`, in any case.
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
