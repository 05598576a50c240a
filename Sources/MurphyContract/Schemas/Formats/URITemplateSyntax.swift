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
        guard encoded(&reader) else { return false }
      // The apostrophe by erratum 6937.
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
        guard encoded(&reader) else { return false }
        isBehindDot = false
      case let byte where byte == 0x5F || FormatReader.isLetter(byte) || FormatReader.isDigit(byte):
        reader.index += 1
        isBehindDot = false
      default: return !isBehindDot
      }
    }
  }

  private static func encoded(_ reader: inout FormatReader) -> Bool {
    guard reader.index + 2 < reader.text.count, FormatReader.isHex(reader.text[reader.index + 1]),
      FormatReader.isHex(reader.text[reader.index + 2])
    else { return false }
    reader.index += 3
    return true
  }
}
