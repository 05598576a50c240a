import CIDN2

/// Host names (RFC 1123 §2.1) and internationalised ones (RFC 5890).
enum HostName {
  /// Letters, digits and hyphens in labels of up to 63 characters, in total up to 253. An A-label (`xn--…`) must decode
  /// to a label that IDNA2008 allows. Allocates for A-labels only.
  static func isHostName(_ text: UnsafeRawBufferPointer) -> Bool {
    guard (1...253).contains(text.count) else { return false }
    var start = 0
    for index in 0...text.count where index == text.count || text[index] == 0x2E {
      guard isLabel(UnsafeRawBufferPointer(rebasing: text[start..<index])) else { return false }
      start = index + 1
    }
    return true
  }

  private static func isLabel(_ label: UnsafeRawBufferPointer) -> Bool {
    guard (1...63).contains(label.count), label[0] != 0x2D, label[label.count - 1] != 0x2D else { return false }
    for byte in label where !(FormatReader.isLetter(byte) || FormatReader.isDigit(byte) || byte == 0x2D) {
      return false
    }
    guard label.count >= 4, label[2] == 0x2D, label[3] == 0x2D else { return true }
    guard label[0] | 0x20 == 0x78, label[1] | 0x20 == 0x6E else { return true }
    return InternationalLabel.isALabel(String(decoding: label, as: UTF8.self).lowercased())
  }

  /// Labels may be U-labels, and the ideographic full stops also separate them (RFC 3490 §3.1).
  static func isInternationalHostName(_ text: UnsafeRawBufferPointer) -> Bool {
    if text.allSatisfy({ $0 < 0x80 }) { return isHostName(text) }
    let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    var length = 0
    for label in scalars.split(omittingEmptySubsequences: false, whereSeparator: isDot) {
      var text = String(String.UnicodeScalarView(label))
      if label.allSatisfy(\.isASCII) {
        guard text.withUTF8({ isLabel(UnsafeRawBufferPointer($0)) }) else { return false }
        length += text.utf8.count + 1
      } else {
        guard let encoded = InternationalLabel.encodedLength(text) else { return false }
        length += encoded + 1
      }
    }
    return length <= 254
  }

  private static func isDot(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "." || scalar == "\u{3002}" || scalar == "\u{FF0E}" || scalar == "\u{FF61}"
  }
}

/// Labels of internationalised domain names, by the rules for their registration (RFC 5891 §4): those of RFC 5892 and
/// the Bidi rule of RFC 5893, with libidn2.
///
/// libidn2 of Debian 12 has the letters of Unicode 12.0. A newer letter is accepted if Swift classifies it as a letter:
/// a name must not be invalid because of an old table.
enum InternationalLabel {
  /// True if a label in lower case that starts with `xn--` decodes to a U-label and is its encoding.
  static func isALabel(_ label: String) -> Bool {
    switch register(unicode: nil, ascii: label).code {
    case IDN2_OK.rawValue, IDN2_UNASSIGNED.rawValue: true
    default: false
    }
  }

  /// The length in bytes of a U-label's A-label, or its minimum; nil if the label is invalid.
  static func encodedLength(_ label: String) -> Int? {
    let scalars = label.unicodeScalars
    // libidn2 would stop at a NUL. It does not check that European and Arabic digits are not mixed (RFC 5893 §2, rule 4
    // of the Bidi rule).
    if scalars.contains("\0") || scalars.contains(where: isASCIIDigit) && scalars.contains(where: isArabicDigit) {
      return nil
    }
    let (code, length) = register(unicode: label, ascii: nil)
    switch code {
    case IDN2_OK.rawValue: return length
    // Punycode has at least one letter for each code point.
    case IDN2_UNASSIGNED.rawValue where scalars.allSatisfy(isLetter) && scalars.count <= 59: return 4 + scalars.count
    default: return nil
    }
  }

  private static func register(unicode: String?, ascii: String?) -> (code: Int32, length: Int) {
    var encoded: UnsafeMutablePointer<UInt8>?
    let code = bytes(unicode) { unicode in
      bytes(ascii) { ascii in idn2_register_u8(unicode, ascii, &encoded, 0) }
    }
    defer { idn2_free(encoded) }
    return (code, encoded.map { length(of: $0) } ?? 0)
  }

  private static func bytes<T>(_ text: String?, _ body: (UnsafePointer<UInt8>?) -> T) -> T {
    guard let text else { return body(nil) }
    return (Array(text.utf8) + [0]).withUnsafeBufferPointer { body($0.baseAddress) }
  }

  private static func length(of text: UnsafePointer<UInt8>) -> Int {
    var length = 0
    while text[length] != 0 { length += 1 }
    return length
  }

  private static func isASCIIDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }

  private static func isArabicDigit(_ scalar: Unicode.Scalar) -> Bool { (0x660...0x669).contains(scalar.value) }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark, .spacingMark: true
    default: scalar == "-"
    }
  }
}
