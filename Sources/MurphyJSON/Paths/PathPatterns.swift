import MurphyRegex

/// The patterns that one evaluation met, each compiled once. Belongs to the evaluation's thread.
final class PathPatterns {
  /// Patterns taken from the document could be as many as its nodes; beyond this they are compiled each time.
  private static let most = 64

  private struct Key: Hashable {
    var pattern: String
    var whole: Bool
  }

  private var compiled: [Key: ECMAPattern?] = [:]
  private lazy var scratch = RegexScratch()

  /// Whether an I-Regexp matches the text, whole (`match`) or in part (`search`).
  ///
  /// False for a pattern that is no I-Regexp (RFC 9535 §2.4.6), and where matching exceeds its bound.
  func matches(_ text: String, _ pattern: String, whole: Bool) -> Bool {
    guard let regex = regex(Key(pattern: pattern, whole: whole)) else { return false }
    var text = text
    return text.withUTF8 { regex.matches(UnsafeRawBufferPointer($0), scratch) } == .yes
  }

  private func regex(_ key: Key) -> ECMAPattern? {
    if let known = compiled[key] { return known }
    let regex = InteroperableRegex.ecmaScript(key.pattern).flatMap { try? ECMAPattern($0, whole: key.whole) }
    if compiled.count < Self.most { compiled[key] = .some(regex) }
    return regex
  }
}
