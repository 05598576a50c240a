import CIDN2

/// Labels of internationalised domain names, by the rules for their registration (RFC 5891 §4), which are those of
/// RFC 5892 and the Bidi rule of RFC 5893, through libidn2.
///
/// libidn2 of Debian 12 knows the letters of Unicode 12.0. A letter that came later is accepted as far as Swift knows it as
/// one: a name is not called invalid because a table is old.
enum InternationalLabel {
  /// Whether a label that begins with `xn--`, in lower case, decodes to a U-label and is its encoding.
  static func isALabel(_ label: String) -> Bool {
    switch register(unicode: nil, ascii: label).code {
    case IDN2_OK.rawValue, IDN2_UNASSIGNED.rawValue: true
    default: false
    }
  }

  /// The bytes of the A-label of a U-label, or the least that it may have; nil for what is not one.
  static func encodedLength(_ label: String) -> Int? {
    let scalars = label.unicodeScalars
    // libidn2 would read up to a NUL, and leaves out that European and Arabic digits do not mix (RFC 5893 §2, rule 4).
    if scalars.contains("\0") || scalars.contains(where: isASCIIDigit) && scalars.contains(where: isArabicDigit) {
      return nil
    }
    let (code, length) = register(unicode: label, ascii: nil)
    switch code {
    case IDN2_OK.rawValue: return length
    // Punycode writes at least one letter for each code point.
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
