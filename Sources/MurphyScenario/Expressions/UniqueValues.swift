import Foundation

/// Values that are meant to be unique: those of `uuid()` and `email()`, and of `string()` with at least 64 bits.
///
/// With the same seed a second run would draw them again and meet at the target what it left there the first time. So
/// they carry a salt that each run draws for itself; arrivals, think times, choices and all other data do not.
package struct UniqueValues: Sendable {
  /// Characters of `string()` that hold 64 bits: 13 · log₂ 36 = 67.
  package static let shortestString = 13
  /// So many values are remembered at each end of a session: who its user is, and what was drawn last.
  private static let remembered = 64

  /// Nil leaves the values as the seed alone gives them.
  package var salt: UInt64?
  /// Whether the salt was drawn for this run, so that no earlier one can have sent the values.
  package var isSaltNew = false
  private var drawn: [String] = []

  package init(salt: UInt64? = nil, isSaltNew: Bool = false) {
    self.salt = salt
    self.isSaltNew = isSaltNew
  }

  mutating func draw(_ value: (_ salt: UInt64?) -> String) -> String {
    let value = value(salt)
    if salt != nil, isSaltNew {
      if drawn.count == 2 * Self.remembered { drawn.remove(at: Self.remembered) }
      drawn.append(value)
    }
    return value
  }

  /// Whether a text cannot have existed before this run: a value drawn in it is part of the text.
  package func isFresh(_ text: String) -> Bool { drawn.contains { text.contains($0) } }

  /// Whether a JSON Web Token in the text (RFC 7519) claims something about a value that was drawn in this run, as the
  /// name of a user who signed up in it: the token cannot have existed before the value.
  package func isClaimed(in text: String) -> Bool {
    guard !drawn.isEmpty else { return false }
    return text.split { " =;,".contains($0) }.contains { word in
      let parts = word.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, let claims = Self.base64URL(parts[1]) else { return false }
      return isFresh(claims)
    }
  }

  /// What is unique of the values drawn in this run, where a shell can draw it again: a UUID, at most 32 letters, or
  /// those of an address before its `@`.
  package var parts: [String] {
    drawn.map { String($0.prefix { $0 != "@" }) }.filter { $0.utf8.count <= 32 || $0.contains("-") }
  }

  /// The text with every value drawn in this run replaced by one mark, so that requests can be compared without them.
  package func withoutDrawn(_ text: String) -> String {
    var text = text
    for value in drawn where text.contains(value) { text.replace(value, with: "\u{FFFC}") }
    return text
  }

  private static func base64URL(_ text: Substring) -> String? {
    var text = text.replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: String(text)).map { String(decoding: $0, as: UTF8.self) }
  }
}
