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

  /// True if the header concerns limits: its name holds `ratelimit`, `rate-limit` or `retry-after`, or it is
  /// `X-Shopify-Shop-Api-Call-Limit`. All such tests use this function.
  private static func concernsLimits(_ name: UnsafeRawBufferPointer) -> Bool {
    ASCIICase.holds(name, "ratelimit") || ASCIICase.holds(name, "rate-limit") || ASCIICase.holds(name, "retry-after")
      || (name.count == 29 && ASCIICase.holds(name, "-api-call-limit"))
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

/// Names of headers: their syntax (RFC 9110 §5.1), and when two are equal.
package enum HeaderName {
  /// True if a string can name a header: a token of RFC 9110 §5.6.2.
  package static func isValid(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(FieldTable.isToken)
  }
}

extension String {
  /// True if equal, ignoring ASCII case; does not allocate.
  package func isSameHeader(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Buffers, because an iterator of a string costs ten times as much.
    let isEqual = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { ASCIICase.isSame(.init(mine), .init($0)) }
    }
    return isEqual.flatMap(\.self)
      ?? zip(utf8, other.utf8).allSatisfy { ASCIICase.lower($0) as UInt8 == ASCIICase.lower($1) }
  }

  /// True if equal, ignoring ASCII case; does not allocate. `lowercased` must be in lower case already.
  package func isHeader(_ lowercased: StaticString) -> Bool {
    guard utf8.count == lowercased.utf8CodeUnitCount else { return false }
    var index = 0
    for byte in utf8 {
      if ASCIICase.lower(byte) != lowercased.utf8Start[index] { return false }
      index += 1
    }
    return true
  }
}

extension [HeaderField] {
  /// True if a header of that name exists, in any case.
  package func names(_ name: String) -> Bool { contains { $0.name.isSameHeader(as: name) } }

  /// The first header of that name, in any case.
  package func first(named name: String) -> HeaderField? { first { $0.name.isSameHeader(as: name) } }

  /// Replaces all headers of the same name.
  package mutating func put(_ field: HeaderField) {
    removeAll { $0.name.isSameHeader(as: field.name) }
    append(field)
  }

  /// The headers of a header block, one per line (RFC 9112 §5); names in lower case, values without surrounding white
  /// space.
  ///
  /// - Parameter keepingCase: true to keep the names as written.
  /// Allocates: for rejections and evidence, not for every response.
  package init(lines block: UnsafeRawBufferPointer, keepingCase: Bool = false) {
    self = block.split(separator: 10).compactMap { line in
      guard let colon = line.firstIndex(of: 58) else { return nil }
      let value = line[(colon + 1)...].drop(while: Self.isBlank)
      let end = value.lastIndex { !Self.isBlank($0) && $0 != 13 }.map { $0 + 1 } ?? value.startIndex
      let name = String(decoding: line[..<colon], as: UTF8.self)
      return HeaderField(
        keepingCase ? name : name.lowercased(), String(decoding: value[..<end], as: UTF8.self))
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}
