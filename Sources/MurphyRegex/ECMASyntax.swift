/// The grammars a pattern may follow.
public enum ECMASyntax: Sendable, Hashable {
  /// ECMA-262 §22.2.1 with the `u` flag: an escape without meaning is an error.
  case unicode
  /// The web's grammar (ECMA-262 Annex B.1.2) on code points: `\-`, `\_` and a lone `]` stand for themselves.
  case legacy
  /// I-Regexp (RFC 9485), where a dot stops at LF and CR only (§5.3).
  case interoperable
}
