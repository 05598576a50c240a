import Foundation

/// Host names (RFC 1123 §2.1) and internationalised ones (RFC 5890).
enum HostName {
  /// Letters, digits and hyphens in labels of up to 63, together up to 253. An A-label (`xn--…`) must decode to a
  /// label that IDNA2008 allows. Allocates for A-labels only.
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
    return isALabel(String(decoding: label, as: UTF8.self).lowercased())
  }

  private static func isALabel(_ label: String) -> Bool {
    guard let decoded = Punycode.decode(label.dropFirst(4)), !decoded.allSatisfy(\.isASCII) else { return false }
    return IDNALabel(decoded).isValid && Punycode.encode(decoded).map { "xn--" + $0 } == label
  }

  /// Labels may be U-labels, and the ideographic full stops part them too (RFC 3490 §3.1).
  static func isInternationalHostName(_ text: UnsafeRawBufferPointer) -> Bool {
    if text.allSatisfy({ $0 < 0x80 }) { return isHostName(text) }
    let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    var length = 0
    for label in scalars.split(omittingEmptySubsequences: false, whereSeparator: isDot) {
      var encoded = String(String.UnicodeScalarView(label))
      if !label.allSatisfy(\.isASCII) {
        guard IDNALabel(Array(label)).isValid, let punycode = Punycode.encode(Array(label)) else { return false }
        guard punycode.utf8.count <= 59 else { return false }
        length += punycode.utf8.count + 5
        continue
      }
      length += encoded.utf8.count + 1
      guard encoded.withUTF8({ isLabel(UnsafeRawBufferPointer($0)) }) else { return false }
    }
    return length <= 254
  }

  private static func isDot(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "." || scalar == "\u{3002}" || scalar == "\u{FF0E}" || scalar == "\u{FF61}"
  }
}

/// A U-label: the rules of RFC 5891 §4.2 and the contextual ones of RFC 5892 appendix A.
struct IDNALabel {
  private let scalars: [Unicode.Scalar]

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  var isValid: Bool {
    guard let first = scalars.first, let last = scalars.last, first != "-", last != "-" else { return false }
    if scalars.count >= 4, scalars[2] == "-", scalars[3] == "-" { return false }
    switch first.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return false
    default: break
    }
    let text = String(String.UnicodeScalarView(scalars))
    guard text.precomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual(scalars) else { return false }
    return scalars.indices.allSatisfy(isAllowed) && BidiRule(scalars).holds
  }

  private func isAllowed(_ index: Int) -> Bool {
    switch IDNAProperty(scalars[index]) {
    case .valid: true
    case .disallowed: false
    case .contextual: isInContext(index)
    }
  }

  private func isInContext(_ index: Int) -> Bool {
    let before = index > 0 ? scalars[index - 1] : nil
    let after = index + 1 < scalars.count ? scalars[index + 1] : nil
    switch scalars[index].value {
    case 0x200C: return isVirama(before) || joins(index)
    case 0x200D: return isVirama(before)
    case 0xB7: return before == "l" && after == "l"
    case 0x375: return after.map(UnicodeScript.isGreek) ?? false
    case 0x5F3, 0x5F4: return before.map(UnicodeScript.isHebrew) ?? false
    case 0x30FB: return scalars.contains(where: UnicodeScript.isJapanese)
    case 0x660...0x669: return !scalars.contains { (0x6F0...0x6F9).contains($0.value) }
    case 0x6F0...0x6F9: return !scalars.contains { (0x660...0x669).contains($0.value) }
    default: return false
    }
  }

  private func isVirama(_ scalar: Unicode.Scalar?) -> Bool {
    scalar?.properties.canonicalCombiningClass == .virama
  }

  /// `(L | D) T* ZWNJ T* (R | D)` (RFC 5892 appendix A.1)
  private func joins(_ index: Int) -> Bool {
    let left = scalars[..<index].last { JoiningType($0) != .transparent }.map(JoiningType.init)
    let right = scalars[(index + 1)...].first { JoiningType($0) != .transparent }.map(JoiningType.init)
    return left == .dual && (right == .dual || right == .right)
  }
}

/// How a letter joins its neighbours (ArabicShaping.txt), for the scripts whose names are in use: Arabic and Syriac.
enum JoiningType {
  case none, right, dual, transparent

  init(_ scalar: Unicode.Scalar) {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark:
      self = .transparent
      return
    default: break
    }
    switch scalar.value {
    case 0x621, 0x674, 0x6D4: self = .none
    case 0x622...0x625, 0x627, 0x629, 0x62F...0x632, 0x648, 0x671...0x673, 0x675...0x677, 0x688...0x699, 0x6C0,
      0x6C3...0x6CB, 0x6CD, 0x6CF, 0x6D2, 0x6D3, 0x6D5, 0x6EE, 0x6EF, 0x710, 0x715...0x719, 0x71E, 0x728, 0x72A,
      0x72C, 0x72F, 0x74D, 0x759...0x75B, 0x76B, 0x76C, 0x771, 0x773, 0x774, 0x778, 0x779:
      self = .right
    case 0x620...0x63F, 0x641...0x64A, 0x66E, 0x66F, 0x678...0x6D3, 0x6FA...0x6FC, 0x6FF, 0x712...0x72E,
      0x74E...0x77F:
      self = .dual
    default: self = .none
    }
  }
}

/// The scripts that contextual rules ask for (Scripts.txt).
enum UnicodeScript {
  static func isGreek(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x370...0x373, 0x375...0x377, 0x37A...0x37D, 0x37F, 0x384, 0x386, 0x388...0x3E1, 0x3F0...0x3FF,
      0x1F00...0x1FFE, 0x2126, 0x10140...0x1018E:
      true
    default: false
    }
  }

  static func isHebrew(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x591...0x5F4, 0xFB1D...0xFB4F: true
    default: false
    }
  }

  /// Hiragana, Katakana or Han.
  static func isJapanese(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF6F,
      0xFF71...0xFF9D:
      true
    case 0x2E80...0x2FD5, 0x3005, 0x3007, 0x3021...0x3029, 0x3038...0x303B, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xF900...0xFAD9, 0x20000...0x323AF:
      true
    default: false
    }
  }
}

/// The Bidi rule for labels with right-to-left letters (RFC 5893 §2), on the classes that valid labels can hold.
struct BidiRule {
  private enum Class { case left, right, arabic, europeanNumber, arabicNumber, mark, neutral }

  private let classes: [Class]

  init(_ scalars: [Unicode.Scalar]) { classes = scalars.map(Self.bidiClass) }

  /// Labels without right-to-left letters are left alone: the rule is for Bidi domain names.
  var holds: Bool {
    guard classes.contains(where: { $0 == .right || $0 == .arabic || $0 == .arabicNumber }) else { return true }
    guard let first = classes.first, let last = classes.last(where: { $0 != .mark }) else { return true }
    switch first {
    case .right, .arabic:
      let numbers = Set(classes.filter { $0 == .europeanNumber || $0 == .arabicNumber })
      return !classes.contains(.left) && numbers.count < 2 && last != .neutral
    case .left:
      return !classes.contains { $0 == .right || $0 == .arabic || $0 == .arabicNumber }
    default: return false
    }
  }

  private static func bidiClass(_ scalar: Unicode.Scalar) -> Class {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return .mark
    default: break
    }
    switch scalar.value {
    case 0x30...0x39, 0x6F0...0x6F9: return .europeanNumber
    case 0x660...0x669: return .arabicNumber
    case 0x590...0x5FF, 0x7C0...0x85F, 0xFB1D...0xFB4F, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return .right
    case 0x600...0x7BF, 0x860...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF: return .arabic
    case 0x2D, 0xB7, 0x375, 0x30FB: return .neutral
    default: return .left
    }
  }
}
