/// Percent-encoding of URI components (RFC 3986 §2).
package enum PercentEncoding {
  /// Encodes every byte except the unreserved ones as `%XX`. With `keepingReserved` the reserved ones stay too
  /// (`allowReserved`), and so do existing `%XX` triples (RFC 6570 §3.2.3).
  package static func encode(_ text: String, keepingReserved: Bool) -> String {
    encode(Array(text.utf8)) { bytes, index in
      isUnreserved(bytes[index]) || (keepingReserved && (isReserved(bytes[index]) || isTriple(bytes, at: index)))
    }
  }

  /// Encodes a path of the file system as a URI path: its slashes stay.
  package static func encode(path: String) -> String {
    encode(Array(path.utf8)) { bytes, index in isUnreserved(bytes[index]) || bytes[index] == UInt8(ascii: "/") }
  }

  /// Encodes only bytes beyond ASCII as `%XX`, as browsers send a reference that a server wrote.
  package static func encode(beyondASCII text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    return encode(Array(text.utf8)) { bytes, index in bytes[index] < 0x80 }
  }

  private static func encode(_ bytes: [UInt8], keeping isKept: ([UInt8], Int) -> Bool) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for index in bytes.indices {
      if isKept(bytes, index) {
        result.append(bytes[index])
      } else {
        result += [UInt8(ascii: "%"), digit(bytes[index] >> 4), digit(bytes[index] & 15)]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes `%XX`; a `%` without two hexadecimal digits stays.
  package static func decode(_ text: some StringProtocol) -> String { String(decoding: bytes(text), as: UTF8.self) }

  /// The same for a part of a form or query, in which `+` is a space (HTML, `application/x-www-form-urlencoded`).
  package static func decode(form text: some StringProtocol) -> String {
    decode(String(decoding: text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self))
  }

  /// The bytes that a string encodes, which need not be UTF-8.
  package static func bytes(_ text: some StringProtocol) -> [UInt8] {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if isTriple(bytes, at: index) {
        result.append(value(bytes[index + 1])! << 4 | value(bytes[index + 2])!)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func isTriple(_ bytes: [UInt8], at index: Int) -> Bool {
    bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count && value(bytes[index + 1]) != nil
      && value(bytes[index + 2]) != nil
  }

  /// True if the byte needs no encoding anywhere in a URI (RFC 3986 §2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func isReserved(_ byte: UInt8) -> Bool { ":/?#[]@!$&'()*+,;=".utf8.contains(byte) }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
