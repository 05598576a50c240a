/// A pattern that cannot be used.
public struct RegexError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What sort of mistake it is.
  public enum Kind: Sendable, Hashable {
    /// The pattern does not follow the grammar.
    case syntax
    /// A correct pattern that PCRE2 cannot run (a look-behind without bound, a huge repetition).
    case unsupported
  }

  /// What sort of mistake it is.
  public let kind: Kind
  /// The whole pattern.
  public let pattern: String
  /// Code points from the start of the pattern.
  public let offset: Int
  /// What was found and what was expected, without the place.
  public let message: String

  public var description: String { "pattern \"\(pattern)\", position \(offset): \(message)" }
}
