import Foundation

/// Whether a code point may stand in a U-label, derived as RFC 5892 §3 does.
enum IDNAProperty {
  case valid, contextual, disallowed

  init(_ scalar: Unicode.Scalar) {
    let properties = scalar.properties
    let value = scalar.value
    if let exception = Self.exception(value) {
      self = exception
    } else if scalar.isASCII {
      self = (0x61...0x7A).contains(value) || (0x30...0x39).contains(value) || value == 0x2D ? .valid : .disallowed
    } else if properties.isJoinControl {
      self = .contextual
    } else if Self.isOldHangul(value) || Self.isUnstable(scalar) || properties.isDefaultIgnorableCodePoint
      || properties.isWhitespace || properties.isNoncharacterCodePoint || Self.isInIgnorableBlock(value)
    {
      self = .disallowed
    } else {
      switch properties.generalCategory {
      case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark,
        .spacingMark:
        self = .valid
      default: self = .disallowed
      }
    }
  }

  /// RFC 5892 §2.6
  private static func exception(_ value: UInt32) -> IDNAProperty? {
    switch value {
    case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: .valid
    case 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x660...0x669, 0x6F0...0x6F9: .contextual
    case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: .disallowed
    default: nil
    }
  }

  /// §2.2: changes under NFKC and case folding.
  private static func isUnstable(_ scalar: Unicode.Scalar) -> Bool {
    let text = String(scalar)
    let folded = text.precomposedStringWithCompatibilityMapping.lowercased().precomposedStringWithCompatibilityMapping
    return !folded.unicodeScalars.elementsEqual(text.unicodeScalars)
  }

  /// §2.9
  private static func isOldHangul(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB: true
    default: false
    }
  }

  /// §2.4
  private static func isInIgnorableBlock(_ value: UInt32) -> Bool {
    (0x20D0...0x20FF).contains(value) || (0x1D100...0x1D24F).contains(value)
  }
}
