extension [HeaderField] {
  /// The fields of a header block, a line each; names in lower case, values without white space around them.
  ///
  /// Allocates: for refusals and evidence, not for every answer.
  package init(lines block: UnsafeRawBufferPointer) {
    self = block.split(separator: 10).compactMap { line in
      guard let colon = line.firstIndex(of: 58) else { return nil }
      let value = line[(colon + 1)...].drop(while: Self.isBlank)
      let end = value.lastIndex { !Self.isBlank($0) && $0 != 13 }.map { $0 + 1 } ?? value.startIndex
      return HeaderField(
        String(decoding: line[..<colon], as: UTF8.self).lowercased(), String(decoding: value[..<end], as: UTF8.self))
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}
