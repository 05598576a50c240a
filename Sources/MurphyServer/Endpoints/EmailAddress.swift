/// Mailbox addresses (RFC 5321, section 4.1.2) without quoted strings and address literals.
enum EmailAddress {
  static func isValid(_ text: String) -> Bool {
    let sides = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard sides.count == 2, 1...64 ~= sides[0].count, 1...253 ~= sides[1].count else { return false }
    let atoms = sides[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let labels = sides[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count >= 2 && atoms.allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtomText) }
      && labels.allSatisfy(isLabel)
  }

  private static func isLabel(_ label: Substring.UTF8View.SubSequence) -> Bool {
    1...63 ~= label.count && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
      && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
  }

  private static func isAtomText(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    default: false
    }
  }
}
