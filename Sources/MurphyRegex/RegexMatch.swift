/// The answer of a pattern.
package enum RegexMatch: Sendable, Hashable {
  case yes
  case no
  /// Backtracking went beyond the bound: the answer is unknown.
  case limitExceeded
}
