import Foundation

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
