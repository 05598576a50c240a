/// Words of names and sentences: `purgeAll`, `purge-all` and `purge_all` have the same two words.
enum NameWords {
  /// In lower case, letters and digits only.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      // `HTTPReset` has two words, and so has `resetToken`.
      let isUpper = scalar.properties.isUppercase
      let follows = index > 0 && scalars[index - 1].properties.isLowercase
      let precedes =
        index > 0 && scalars[index - 1].properties.isUppercase && index + 1 < scalars.count
        && scalars[index + 1].properties.isLowercase
      if isUpper, follows || precedes, !word.isEmpty {
        words.append(word)
        word = ""
      }
      word += scalar.properties.lowercaseMapping
    }
    return word.isEmpty ? words : words + [word]
  }

  /// The verb of the set that the text contains, in any present form; nil for none.
  static func verb(_ verbs: Set<String>, in text: String) -> String? {
    let words = words(text)
    for (index, word) in words.enumerated() {
      let next = index + 1 < words.count ? words[index + 1] : ""
      if let verb = verbs.first(where: { isForm(word, of: $0) }), !isHarmless(verb, before: next) { return verb }
      // "shut down", "log out"
      if verbs.contains(word + next), !next.isEmpty { return word + next }
    }
    return nil
  }

  /// `reset`, `resets`, `resetting`; `purge`, `purges`, `purging`.
  private static func isForm(_ word: String, of verb: String) -> Bool {
    guard word.hasPrefix(verb.dropLast()) else { return false }
    let stem = verb.hasSuffix("e") ? String(verb.dropLast()) : verb
    let last = verb.last.map(String.init) ?? ""
    return [verb, verb + "s", verb + "es", stem + "ing", verb + last + "ing"].contains(word)
  }

  /// `dropDown` and `drop-off` are nouns.
  private static func isHarmless(_ verb: String, before next: String) -> Bool {
    verb == "drop" && ["down", "downs", "off", "offs", "point", "points", "ship", "shipping", "box"].contains(next)
  }
}
