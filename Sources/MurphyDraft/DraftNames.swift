import MurphyScenario

package enum DraftNames {
  /// `laws` → `law`, `categories` → `category`, `addresses` → `address`.
  package static func singular(_ word: String) -> String {
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    if word.hasSuffix("sses") || word.hasSuffix("xes") || word.hasSuffix("ches") { return String(word.dropLast(2)) }
    if word.hasSuffix("s"), !word.hasSuffix("ss"), word.count > 3 { return String(word.dropLast()) }
    return word
  }

  /// A name of the scenario language: letters and digits, the first letter small, none of the language's own words.
  static func variable(_ text: String) -> String {
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.enumerated().map { index, word in
      index == 0 ? word.prefix(1).lowercased() + word.dropFirst() : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
    if name.first?.isLetter != true { return "x" + name }
    return ContextName(rawValue: name) != nil || ["true", "false", "null"].contains(name) ? name + "Value" : name
  }

  /// Letters and digits alone, small: `law_id` and `lawId` are one name.
  package static func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
}

/// Gives each value of a scenario a name that no other has.
struct VariableNames {
  private var taken: Set<String> = []

  mutating func new(_ wish: String) -> String {
    let name = DraftNames.variable(wish).numbered(where: taken.contains)
    taken.insert(name)
    return name
  }
}
