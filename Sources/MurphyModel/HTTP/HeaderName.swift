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
    let answer = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { ASCIICase.isSame(.init(mine), .init($0)) }
    }
    return answer.flatMap(\.self)
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
}

extension [HeaderField] {
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
