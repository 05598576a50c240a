/// The answer of a pattern.
public enum RegexMatch: Sendable, Hashable {
  case yes
  case no
  /// Backtracking went beyond the bound: the answer is unknown.
  case limitExceeded
}
