/// The formats that are checked. All operate on UTF-8 bytes; those with ASCII grammars do not allocate.
enum Format: UInt8, Sendable {
  case dateTime, date, time, duration
  case email, idnEmail, hostname, idnHostname, ipv4, ipv6
  case uri, uriReference, iri, iriReference, uriTemplate
  case uuid, jsonPointer, relativeJSONPointer, regex
  /// OpenAPI's formats: signed integers of 32 and 64 bits, and base64 (RFC 4648 §4).
  case int32, int64, byte

  /// By number: the name in schemas, and the description in messages.
  private static let table: [(name: String, title: String)] = [
    ("date-time", "a date-time (RFC 3339)"), ("date", "a date (RFC 3339)"), ("time", "a time (RFC 3339)"),
    ("duration", "a duration (RFC 3339)"), ("email", "an e-mail address (RFC 5321)"),
    ("idn-email", "an e-mail address (RFC 6531)"), ("hostname", "a host name (RFC 1123)"),
    ("idn-hostname", "an internationalised host name (RFC 5890)"), ("ipv4", "an IPv4 address"),
    ("ipv6", "an IPv6 address (RFC 4291)"), ("uri", "a URI (RFC 3986)"),
    ("uri-reference", "a URI reference (RFC 3986)"), ("iri", "an IRI (RFC 3987)"),
    ("iri-reference", "an IRI reference (RFC 3987)"), ("uri-template", "a URI template (RFC 6570)"),
    ("uuid", "a UUID (RFC 4122)"), ("json-pointer", "a JSON Pointer (RFC 6901)"),
    ("relative-json-pointer", "a relative JSON Pointer"), ("regex", "a regular expression (ECMA-262)"),
    ("int32", "an integer of 32 bits"), ("int64", "an integer of 64 bits"), ("byte", "base64 (RFC 4648)"),
  ]

  /// Nil for a format that has no rule in the dialect.
  init?(name: String, dialect: Dialect) {
    guard let number = Self.table.firstIndex(where: { $0.name == name }),
      number < Self.int32.rawValue || dialect.isOpenAPI
    else { return nil }
    self.init(rawValue: UInt8(number))
  }

  var appliesToNumbers: Bool { self == .int32 || self == .int64 }

  /// The description of a string of this format, for messages.
  var title: String { Self.table[Int(rawValue)].title }

  /// True if a string has this format. `text` is UTF-8.
  func accepts(_ text: UnsafeRawBufferPointer) -> Bool {
    var reader = FormatReader(text)
    switch self {
    case .dateTime: return reader.dateTime() && reader.isAtEnd
    case .date: return reader.date() && reader.isAtEnd
    case .time: return reader.time() && reader.isAtEnd
    case .duration: return reader.duration() && reader.isAtEnd
    case .email: return Mailbox.isMailbox(text, international: false)
    case .idnEmail: return Mailbox.isMailbox(text, international: true)
    case .hostname: return HostName.isHostName(text)
    case .idnHostname: return HostName.isInternationalHostName(text)
    case .ipv4: return reader.ipv4() && reader.isAtEnd
    case .ipv6: return reader.ipv6() && reader.isAtEnd
    case .uri: return URISyntax(text, international: false).isURI
    case .uriReference: return URISyntax(text, international: false).isReference
    case .iri: return URISyntax(text, international: true).isURI
    case .iriReference: return URISyntax(text, international: true).isReference
    case .uriTemplate: return URITemplateSyntax.isTemplate(text)
    case .uuid: return Self.isUUID(text)
    case .jsonPointer: return Self.isPointer(text)
    case .relativeJSONPointer: return Self.isRelativePointer(text)
    case .regex: return Self.isPattern(text)
    case .byte: return Base64.decode(text) != nil
    case .int32, .int64: return true
    }
  }

  func accepts(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { accepts(UnsafeRawBufferPointer($0)) }
  }

  /// The number formats; true for all others.
  func accepts(_ number: JSONNumber) -> Bool {
    switch self {
    case .int32: number.int.map { Int32(exactly: $0) != nil } ?? false
    case .int64: number.int != nil
    default: true
    }
  }

  private static func isUUID(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count == 36, let start = text.baseAddress else { return false }
    let table = ByteSet.table
    guard text[8] == 0x2D, text[13] == 0x2D, text[18] == 0x2D, text[23] == 0x2D else { return false }
    func isHex(_ index: Int) -> Bool { ByteSet.hex.areIn(table, (start + index).loadUnaligned(as: UInt32.self)) }
    return isHex(0) && isHex(4) && isHex(9) && isHex(14) && isHex(19) && isHex(24) && isHex(28) && isHex(32)
  }

  private static func isPointer(_ text: some Collection<UInt8>) -> Bool {
    guard let first = text.first else { return true }
    if first != 0x2F { return false }
    var tilde = false
    for byte in text {
      if tilde, byte != 0x30, byte != 0x31 { return false }
      tilde = byte == 0x7E
    }
    return !tilde
  }

  /// `non-negative-integer [("+" | "-") positive-integer] (json-pointer | "#")`
  /// (draft-bhutton-relative-json-pointer-00 §3)
  private static func isRelativePointer(_ text: UnsafeRawBufferPointer) -> Bool {
    var reader = FormatReader(text)
    guard reader.wholeNumber() else { return false }
    if reader.peek == 0x2B || reader.peek == 0x2D {
      reader.index += 1
      guard reader.wholeNumber() else { return false }
    }
    if reader.peek == 0x23 { return reader.index == text.count - 1 }
    return isPointer(text[reader.index...])
  }

  private static func isPattern(_ text: UnsafeRawBufferPointer) -> Bool {
    do throws(RegexError) {
      _ = try ECMAPattern(String(decoding: text, as: UTF8.self))
      return true
    } catch {
      return error.kind == .unsupported
    }
  }
}

/// `Mailbox` of RFC 5321 §4.1.2; international with the letters of RFC 6531 §3.3.
enum Mailbox {
  static func isMailbox(_ text: UnsafeRawBufferPointer, international: Bool) -> Bool {
    // U+FFFD replaces half a surrogate pair.
    if international, String(decoding: text, as: UTF8.self).unicodeScalars.contains("\u{FFFD}") { return false }
    var reader = FormatReader(text)
    let isLocalPart =
      reader.peek == 0x22 ? quoted(&reader, international) : dotted(&reader, international)
    // The sizes are from RFC 5321 §4.5.3.1.
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

/// The grammar of URI templates (RFC 6570 §2).
enum URITemplateSyntax {
  static func isTemplate(_ text: UnsafeRawBufferPointer) -> Bool {
    var reader = FormatReader(text)
    while !reader.isAtEnd {
      switch reader.peek {
      case 0x7B:
        reader.index += 1
        guard expression(&reader) else { return false }
      case 0x25:
        guard reader.percentEncoded() else { return false }
      // The apostrophe is allowed by erratum 6937.
      case 0x21, 0x23, 0x24, 0x26...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E:
        reader.index += 1
      case 0x80...:
        guard let (scalar, length) = URISyntax.scalar(text, at: reader.index),
          URISyntax.isInternational(scalar) || URISyntax.isPrivate(scalar)
        else { return false }
        reader.index += length
      default: return false
      }
    }
    return true
  }

  /// `[ operator ] varspec *( "," varspec ) "}"`
  private static func expression(_ reader: inout FormatReader) -> Bool {
    if "+#./;?&=,!@|".utf8.contains(reader.peek) { reader.index += 1 }
    repeat {
      guard variable(&reader) else { return false }
      if reader.skip(0x3A) {
        // prefix: 1 to 9999
        let start = reader.index
        guard reader.wholeNumber(), reader.text[start] != 0x30, reader.index - start <= 4 else { return false }
      } else {
        _ = reader.skip(0x2A)
      }
    } while reader.skip(0x2C)
    return reader.skip(0x7D)
  }

  /// `varchar *( ["."] varchar )`
  private static func variable(_ reader: inout FormatReader) -> Bool {
    var isBehindDot = true
    while true {
      switch reader.peek {
      case 0x2E:
        if isBehindDot { return false }
        reader.index += 1
        isBehindDot = true
      case 0x25:
        guard reader.percentEncoded() else { return false }
        isBehindDot = false
      case let byte where byte == 0x5F || FormatReader.isLetter(byte) || FormatReader.isDigit(byte):
        reader.index += 1
        isBehindDot = false
      default: return !isBehindDot
      }
    }
  }
}

/// Base64 with padding (RFC 4648 §4).
enum Base64 {
  /// Nil if the text is not base64: a letter of another alphabet, a wrong length, bits after the end.
  static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var padding = 0
    for (index, byte) in text.enumerated() {
      var value: UInt32 = 0
      if byte == 0x3D {
        guard index >= text.count - 2 else { return nil }
        padding += 1
      } else {
        guard padding == 0, let letter = letter(byte) else { return nil }
        value = letter
      }
      bits = bits << 6 | value
      if index & 3 == 3 {
        output.append(contentsOf: [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)])
        bits = 0
      }
    }
    guard output.suffix(padding).allSatisfy({ $0 == 0 }) else { return nil }
    output.removeLast(padding)
    return output
  }

  private static func letter(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x41...0x5A: UInt32(byte) - 0x41
    case 0x61...0x7A: UInt32(byte) - 0x61 + 26
    case 0x30...0x39: UInt32(byte) - 0x30 + 52
    case 0x2B: 62
    case 0x2F: 63
    default: nil
    }
  }
}
