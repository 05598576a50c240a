import Foundation

/// Unique values: those of `uuid()` and `email()`, and of `string()` with at least 64 bits.
///
/// With the same seed, a second run would generate them again. It would find the items of the first run at the target.
/// So they contain a salt that each run generates. Arrivals, think times, choices and all other data contain no salt.
package struct UniqueValues: Sendable {
  /// Characters of `string()` that hold 64 bits: 13 · log₂ 36 = 67.
  package static let shortestString = 13
  /// The number of values that are remembered at each end of a session: those of its user, and the last ones generated.
  private static let remembered = 64

  /// Nil if the seed alone determines the values.
  package var salt: UInt64?
  /// True if the salt was generated for this run. Then no earlier run can have sent the values.
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

  /// True if a string cannot have existed before this run, because it contains a value generated in this run.
  package func isFresh(_ text: String) -> Bool { drawn.contains { text.contains($0) } }

  /// True if a JSON Web Token in the text (RFC 7519) contains a claim with a value generated in this run. An example is
  /// the name of a user who signed up in it. The token cannot have existed before the value.
  package func isClaimed(in text: String) -> Bool {
    guard !drawn.isEmpty else { return false }
    return text.split { " =;,".contains($0) }.contains { word in
      let parts = word.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, let claims = Self.base64URL(parts[1]) else { return false }
      return isFresh(claims)
    }
  }

  /// The unique parts of the values generated in this run, in a form that a shell can generate: a UUID, at most 32
  /// letters, or the part of an address before its `@`.
  package var parts: [String] {
    drawn.map { String($0.prefix { $0 != "@" }) }.filter { $0.utf8.count <= 32 || $0.contains("-") }
  }

  /// The text with one marker in place of every value generated in this run. Requests can then be compared without
  /// these values.
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
