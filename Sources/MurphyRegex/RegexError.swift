/// A pattern that cannot be used.
package struct RegexError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The pattern does not follow the grammar.
    case syntax
    /// A correct pattern that PCRE2 cannot run (a look-behind without bound, a huge repetition).
    case unsupported
  }

  package let kind: Kind
  package let pattern: String
  /// Code points from the start of the pattern.
  package let offset: Int
  package let message: String

  package var description: String { "pattern \"\(pattern)\", position \(offset): \(message)" }
}
