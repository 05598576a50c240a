import MurphySchema

/// The ids of one run with the ids of the same items in another run.
///
/// Each server issues its own ids. Only values that a session sends are mapped: ids from earlier responses, and unique
/// values that murphy generated.
struct IdentityMap: Sendable {
  enum Match: Sendable { case equal, mapped, different }

  private var forward: [String: String] = [:]
  private var backward: [String: String] = [:]

  /// - Returns: false if one of the values belongs to another.
  mutating func add(_ base: String, _ candidate: String) -> Bool {
    if let known = forward[base] { return known == candidate }
    guard backward[candidate] == nil else { return false }
    (forward[base], backward[candidate]) = (candidate, base)
    return true
  }

  /// The value in the other run; itself where it is not mapped.
  func image(of text: String) -> String { forward[text] ?? text }

  /// Compares two strings. Ids within them, as in `/items/17`, are mapped too.
  func match(_ base: String, _ candidate: String) -> Match {
    if JSONKey(base) == JSONKey(candidate) { return .equal }
    if forward[base] == candidate { return .mapped }
    if forward.isEmpty { return .different }
    let (left, right) = (Self.words(base), Self.words(candidate))
    guard left.words.count == right.words.count, left.between == right.between else { return .different }
    for (word, other) in zip(left.words, right.words) where JSONKey(word) != JSONKey(other) {
      guard forward[word] == other else { return .different }
    }
    return .mapped
  }

  /// The words of a text, and the characters between them.
  static func words(_ text: String) -> (words: [String], between: String) {
    (
      text.split(omittingEmptySubsequences: false, whereSeparator: separators.contains).map(String.init),
      text.filter(separators.contains)
    )
  }

  private static let separators: Set<Character> = Set("/?&=#,;: \"'()[]<>|")
}
