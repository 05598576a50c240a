import MurphyJSON
import MurphyRegex

extension Format {
  /// Whether a string has this format. `text` is UTF-8.
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
    guard text.count == 36 else { return false }
    for index in 0..<36 {
      switch index {
      case 8, 13, 18, 23: if text[index] != 0x2D { return false }
      default: if !FormatReader.isHex(text[index]) { return false }
      }
    }
    return true
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
