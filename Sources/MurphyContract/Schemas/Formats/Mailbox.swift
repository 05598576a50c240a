/// `Mailbox` of RFC 5321 §4.1.2; international with the letters of RFC 6531 §3.3.
enum Mailbox {
  static func isMailbox(_ text: UnsafeRawBufferPointer, international: Bool) -> Bool {
    // U+FFFD is what half a surrogate pair became.
    if international, String(decoding: text, as: UTF8.self).unicodeScalars.contains("\u{FFFD}") { return false }
    var reader = FormatReader(text)
    let isLocalPart =
      reader.peek == 0x22 ? quoted(&reader, international) : dotted(&reader, international)
    // The sizes are those of RFC 5321 §4.5.3.1.
    guard isLocalPart, reader.index <= 64, reader.skip(0x40) else { return false }
    let domain = UnsafeRawBufferPointer(rebasing: text[reader.index...])
    if reader.peek == 0x5B { return literal(&reader) && reader.isAtEnd }
    return international ? HostName.isInternationalHostName(domain) : HostName.isHostName(domain)
  }

  /// `Dot-string`
  private static func dotted(_ reader: inout FormatReader, _ international: Bool) -> Bool {
    repeat {
      let start = reader.index
      while isAtom(reader.peek, international) { reader.index += 1 }
      if reader.index == start { return false }
    } while reader.skip(0x2E)
    return true
  }

  private static func isAtom(_ byte: UInt8, _ international: Bool) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2F, 0x3D, 0x3F, 0x5E...0x60, 0x7B...0x7E: true
    case 0x80...: international
    default: false
    }
  }

  /// `Quoted-string`
  private static func quoted(_ reader: inout FormatReader, _ international: Bool) -> Bool {
    reader.index += 1
    while true {
      switch reader.peek {
      case 0x22:
        reader.index += 1
        return true
      case 0x5C:
        reader.index += 1
        guard (0x20...0x7E).contains(reader.peek) else { return false }
      case 0x20...0x7E: break
      case 0x80... where international: break
      default: return false
      }
      reader.index += 1
    }
  }

  /// `address-literal`
  private static func literal(_ reader: inout FormatReader) -> Bool {
    reader.index += 1
    if reader.text[reader.index...].starts(with: "IPv6:".utf8) {
      reader.index += 5
      return reader.ipv6() && reader.skip(0x5D)
    }
    return reader.ipv4() && reader.skip(0x5D)
  }
}
