import MurphySchema

/// docs/scenario.md: every key of the language with its value, its default and an example. It is generated from the
/// vocabularies that the reader checks.
package struct LanguageReference {
  /// By vocabulary and key: a value from an example scenario.
  private var examples: [String: [String: JSONValue]] = [:]

  /// - Parameter scenarios: example scenarios. The example of a key comes from the first scenario that has the key.
  package init(examples scenarios: [JSONValue]) {
    for scenario in scenarios { collectExamples(scenario, .vocabulary("scenario")) }
  }

  /// The whole page in Markdown.
  package var text: String {
    var lines = Self.head
    for vocabulary in Vocabulary.all {
      lines += ["", "## \(vocabulary.name)", "", vocabulary.summary]
      for group in vocabulary.alternatives {
        let rivals = group.filter { !vocabulary.companions.contains($0) }.map { "`\($0)`" }
        let others = group.filter { vocabulary.companions.contains($0) }.map { "`\($0)`" }
        let alone = others.isEmpty ? "" : ", or \(others.joined(separator: ", ")) alone,"
        lines.append("Exactly one of \(rivals.joined(separator: ", "))\(alone) is required.")
      }
      let own = Self.own(vocabulary)
      if own.count < vocabulary.keys.count {
        lines.append(
          "With a single call instead of `steps`, it also has the keys of a [call](#call).")
      }
      lines += ["", "| key | value | by default | example |", "|---|---|---|---|"]
      lines += own.map { row($0, of: vocabulary) }
      lines += own.isEmpty ? [] : [""] + own.map { "- `\($0.name)`: \($0.summary)" }
    }
    lines += Self.expressions
    return lines.joined(separator: "\n") + "\n"
  }

  /// The keys of a step, without those of a call within it.
  private static func own(_ vocabulary: Vocabulary) -> [Vocabulary.Key] {
    guard vocabulary.name != "call", vocabulary["call"] != nil else { return vocabulary.keys }
    return vocabulary.keys.filter { Vocabulary.call[$0.name] == nil }
  }

  private static let head = [
    "# The scenario language",
    "",
    "Every key that a scenario may have. This page is generated from the table that `murphy check` uses to read scenarios.",
    "The same table generates `scenarios/scenario.schema.json` for editors. The examples are from a scenario that the tests read.",
    "Start with [guide.md](guide.md). The top level of a scenario file is [scenario](#scenario).",
    "",
    "Steps are " + stepLinks + ", or the word `end`.",
    "Keys that begin with `x-` are ignored. They can hold the values of YAML anchors.",
  ]

  private static var stepLinks: String {
    Vocabulary.steps.map { "[\($0.key)](#\($0.vocabulary.name))" }.joined(separator: ", ")
  }

  private func row(_ key: Vocabulary.Key, of vocabulary: Vocabulary) -> String {
    let example = (examples[vocabulary.name]?[key.name] ?? example(of: key.name)).map { "`\(Self.short($0))`" } ?? ""
    let standard = key.isRequired ? "*required*" : Self.standard(key.summary)
    let cells = ["`\(key.name)`", key.shape.words, standard, example]
    return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
  }

  /// An example from another vocabulary with the same key.
  private func example(of key: String) -> JSONValue? {
    Vocabulary.all.lazy.compactMap { examples[$0.name]?[key] }.first
  }

  /// The part of the sentence before "by default".
  private static func standard(_ summary: String) -> String {
    if let match = summary.firstMatch(of: /(?:^|[;,:] )([^;,:.]+?(?:\.[0-9]+[^;,:.]*?)?) by default/) {
      return String(match.1)
    }
    if let match = summary.firstMatch(of: /([a-z-]+) [^;,(]*\(default\)/) { return String(match.1) }
    return ""
  }

  /// A value on one line, shortened.
  private static func short(_ value: JSONValue) -> String {
    let text = value.string ?? value.text
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text
    return line.count > 60 ? line.prefix(57) + "…" : line
  }

  private static var expressions: [String] {
    [
      "", "## Expressions", "",
      "Names, numbers, strings, operators and functions are written between `${` and `}`. Write `$${` for a literal `${`.",
    ]
      + ["A string that is a single `${…}` keeps the value's type.", ""]
      + ["| name | meaning |", "|---|---|"]
      + ContextName.allCases.map { "| `\($0.rawValue)` | \($0.summary) |" }
      + ["", "| function | result |", "|---|---|"]
      + Function.allCases.map { "| `\($0.usage)` | \($0.summary) |" }
      + [
        "| `choose(a, b: 3, c)` | one of the words, here the second three times as often |",
        "| `env(NAME)`, `env(NAME, \"otherwise\")` | an environment variable, masked in every output |", "",
        "Operators, from the loosest: `? :`, `\\|\\|`, `&&`, `==` `!=`, `<` `<=` `>` `>=`, `+` `-`, `*` `/` `%`, "
          + "`!`; then `list[0]` and `object.field`. A JSONPath query such as `$.data[*].id` reads the last "
          + "response's body.",
      ]
  }
}

extension LanguageReference {
  /// Records the keys of `value`, whose expected shape is `shape`, and of all nested values.
  private mutating func collectExamples(_ value: JSONValue, _ shape: Shape) {
    switch shape {
    case .vocabulary(let name): collectExamples(value, vocabulary: name)
    case .list(let inner):
      if case .array(let items) = value { for item in items { collectExamples(item, inner) } }
    case .names(let inner, _): for item in value.object?.values ?? [] { collectExamples(item, inner) }
    case .either(let shapes):
      for shape in shapes where shape.admits(value) { collectExamples(value, shape) }
    default: break
    }
  }

  private mutating func collectExamples(_ value: JSONValue, vocabulary name: String) {
    guard case .object(let members) = value else { return }
    let found =
      name == "step"
      ? Vocabulary.steps.first { members[$0.key] != nil }?.vocabulary : Vocabulary.all.first { $0.name == name }
    guard let vocabulary = found else { return }
    for key in vocabulary.keys {
      guard let value = members[key.name] else { continue }
      if examples[vocabulary.name]?[key.name] == nil { examples[vocabulary.name, default: [:]][key.name] = value }
      collectExamples(value, key.shape)
    }
  }
}

extension Shape {
  /// True if the shape allows a value of this form.
  fileprivate func admits(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.vocabulary, .object), (.names, .object), (.list, .array), (.either, _): true
    default: false
    }
  }

  /// Its text in the table.
  fileprivate var words: String {
    switch self {
    case .text: "string"
    case .template: "any value, with `${…}` in its strings"
    case .textTemplate: "string with `${…}`"
    case .boolean: "true or false"
    case .whole(let least): least > 0 ? "whole number from \(least)" : "whole number"
    case .number: "number"
    case .duration: "time: 300ms, 5s, 2m"
    case .drawnDuration: "time, range 1s..3s, distribution or `${…}`"
    case .drawnCount: "number, range 2..5, distribution or `${…}`"
    case .rate: "rate: 20/s, 5/m"
    case .rateRange: "rate or range of rates: 0/s..20/s"
    case .users: "users or a range: 0..50"
    case .share: "share: 1%, 0.5"
    case .size: "size: 64KB, 8MB"
    case .path: "JSONPath query"
    case .condition: "expression that is true or false"
    case .status: "status: 404, 4XX, 200..204"
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .constant(let word): "`\(word)`"
    case .vocabulary(let name): name == "step" ? "step" : "[\(name)](#\(name))"
    case .list(let inner): "list of \(inner.words)"
    case .names(let inner, let summary):
      "names, each with \(inner.words) (\(summary.hasSuffix(".") ? String(summary.dropLast()) : summary))"
    case .either(let shapes): shapes.map(\.words).joined(separator: "; or ")
    case .anything: "any value"
    case .null: "null"
    }
  }
}
