import MurphySchema

/// Writes a header value as JSON into reused memory, so that the body's validator can check it.
///
/// Allocates only if a header is longer than all before.
final class HeaderText {
  private var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(1024) }

  func withJSON<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body($0) }
  }

  /// Writes the value of one header line.
  func write(_ value: UnsafeRawBufferPointer, as shape: HeaderShape) {
    bytes.removeAll(keepingCapacity: true)
    switch shape {
    case .text: quote(value)
    case .scalar(let types): scalar(value, types)
    case .json: bytes.append(contentsOf: value)
    case .array(let types):
      beginList()
      append(value, items: types)
      endList()
    case .object(let members, let others, let explode): object(value, members, others, explode)
    }
  }

  /// Lists are collected over all lines of a name (RFC 9110 §5.3): `beginList`, `append` for each, `endList`.
  func beginList() {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(UInt8(ascii: "["))
  }

  func append(_ value: UnsafeRawBufferPointer, items: HeaderShape.Scalars) {
    guard !value.isEmpty else { return }
    forEachPart(of: value) { part in
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      scalar(part, items)
    }
  }

  func endList() { bytes.append(UInt8(ascii: "]")) }

  private func object(
    _ value: UnsafeRawBufferPointer, _ members: [String: HeaderShape.Scalars], _ others: HeaderShape.Scalars,
    _ explode: Bool
  ) {
    bytes.append(UInt8(ascii: "{"))
    var name: UnsafeRawBufferPointer?
    func member(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      quote(name)
      bytes.append(UInt8(ascii: ":"))
      scalar(value, members[String(decoding: name, as: UTF8.self)] ?? others)
    }
    forEachPart(of: value) { part in
      if explode {
        let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
        let rest = min(equals + 1, part.count)
        member(UnsafeRawBufferPointer(rebasing: part[..<equals]), UnsafeRawBufferPointer(rebasing: part[rest...]))
      } else if let key = name {
        member(key, part)
        name = nil
      } else {
        name = part
      }
    }
    if let name { member(name, UnsafeRawBufferPointer(rebasing: name[..<0])) }
    bytes.append(UInt8(ascii: "}"))
  }

  private func forEachPart(of value: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var start = 0
    for index in 0...value.count where index == value.count || value[index] == UInt8(ascii: ",") {
      var first = start
      var last = index
      while first < last, value[first] == UInt8(ascii: " ") || value[first] == UInt8(ascii: "\t") { first += 1 }
      while last > first, value[last - 1] == UInt8(ascii: " ") || value[last - 1] == UInt8(ascii: "\t") { last -= 1 }
      body(UnsafeRawBufferPointer(rebasing: value[first..<last]))
      start = index + 1
    }
  }

  /// Writes a value that parses as one of the allowed types as that type. Any other value becomes a string. If the
  /// schema allows no string, it rejects the value, and the message contains it.
  private func scalar(_ value: UnsafeRawBufferPointer, _ types: HeaderShape.Scalars) {
    if types.contains(.number), JSONScanner.numberEnd(in: value, from: 0) == value.count {
      bytes.append(contentsOf: value)
    } else if types.contains(.boolean), value.elementsEqual("true".utf8) || value.elementsEqual("false".utf8) {
      bytes.append(contentsOf: value)
    } else if types.contains(.null), value.isEmpty || value.elementsEqual("null".utf8) {
      bytes.append(contentsOf: "null".utf8)
    } else {
      quote(value)
    }
  }

  /// Bytes that are not UTF-8 are read as ISO 8859-1, the historical encoding of field values (RFC 9110 §5.5).
  private func quote(_ value: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    // Fast path: almost all values are plain ASCII.
    if value.allSatisfy({ $0 >= 0x20 && $0 < 0x80 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      bytes.append(contentsOf: value)
      return
    }
    let isUTF8 = value.allSatisfy { $0 < 0x80 } || String(validating: value, as: UTF8.self) != nil
    for byte in value {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20: escape(byte)
      case 0x80...: if isUTF8 { bytes.append(byte) } else { escape(byte) }
      default: bytes.append(byte)
      }
    }
  }

  private func escape(_ byte: UInt8) {
    func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10 }
    for character in "\\u00".utf8 { bytes.append(character) }
    bytes.append(digit(byte >> 4))
    bytes.append(digit(byte & 15))
  }
}
