import MurphySchema

/// The reference of the language: every key with its value, its default and an example. It is generated from the
/// vocabularies that the reader checks.
package struct LanguageReference {
  /// By vocabulary and key: a value from an example scenario.
  private var examples: [String: [String: JSONValue]] = [:]

  /// - Parameter scenarios: example scenarios. The example of a key comes from the first scenario that has the key.
  package init(examples scenarios: [JSONValue]) {
    for scenario in scenarios { collectExamples(scenario, .vocabulary("scenario")) }
  }

  /// All topics in one page of Markdown.
  package var text: String {
    LanguageTopic.all.map { "# \($0.title)\n\n*\($0.question)*\n\n\(sections($0))" }.joined(separator: "\n")
  }

  /// The keys of a topic, as its page has them. Keys of other topics are linked to their pages.
  package func keys(of topic: LanguageTopic) -> String {
    sections(topic).replacing(/\]\(#([a-z0-9-]+)\)/) { match in
      let home = LanguageTopic.of(String(match.1))
      return home.name == topic.name ? String(match.0) : "](\(home.name).md#\(match.1))"
    }
  }

  /// docs/scenario.md: the topics, and the page of each group of keys. Its anchors are those of the groups, so a link
  /// to a group on this page works too.
  package static var index: String {
    var lines = head + ["", "| topic | question |", "|---|---|"]
    lines += LanguageTopic.all.map { "| [\($0.title)](scenario/\($0.name).md) | \($0.question) |" }
    lines += ["", "## Every group of keys", "", "| keys of | content |", "|---|---|"]
    for topic in LanguageTopic.all {
      lines += topic.vocabularies.map { "| <a id=\"\($0.name)\"></a>\(link($0.name, to: $0)) | \($0.summary) |" }
    }
    lines.append(
      "| <a id=\"expressions\"></a>[Expressions](scenario/values.md#expressions) | Expressions between `${` and `}`. |")
    return lines.joined(separator: "\n") + "\n"
  }

  private static let head = [
    "# The scenario language",
    "",
    "*Which page describes a key of a scenario?*",
    "",
    "The pages below list every key of a scenario. The lists of keys are generated from the source code of",
    "`murphy check`. The file `scenarios/scenario.schema.json` is generated from the same code. If your editor uses",
    "this file, it completes keys ([Editor setup](editor.md)). For an introduction to scenarios, read the",
    "[guide](guide.md).",
    "The top level of a scenario file is [scenario](scenario/file.md#scenario).",
    "",
    "A step is one of " + stepLinks + ", or the word `end`.",
    "Murphy ignores keys that begin with `x-`. A key that begins with `x-` can contain the values of YAML anchors.",
  ]

  private static var stepLinks: String {
    Vocabulary.steps.map { link($0.key, to: $0.vocabulary) }.joined(separator: ", ")
  }

  private static func link(_ text: String, to vocabulary: Vocabulary) -> String {
    "[\(text)](scenario/\(LanguageTopic.of(vocabulary.name).name).md#\(vocabulary.name))"
  }

  /// By group and key, such as `settings.timeout`: each default that the pages state.
  package static var defaults: [String: String] {
    var defaults: [String: String] = [:]
    for group in Vocabulary.all {
      for key in own(group) where !standard(key).isEmpty && !key.isRequired {
        defaults["\(group.name).\(key.name)"] = standard(key)
      }
    }
    return defaults
  }

  /// The groups of keys of a topic, each with its heading.
  private func sections(_ topic: LanguageTopic) -> String {
    let sections = topic.vocabularies.isEmpty ? [Self.expressions] : topic.vocabularies.map(section)
    return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private func section(_ vocabulary: Vocabulary) -> [String] {
    var lines = ["## \(vocabulary.name)", "", vocabulary.summary]
    for group in vocabulary.alternatives {
      let rivals = group.filter { !vocabulary.companions.contains($0) }.map { "`\($0)`" }
      let others = group.filter { vocabulary.companions.contains($0) }.map { "`\($0)`" }
      let alone = others.isEmpty ? "" : ", or \(others.joined(separator: ", ")) alone"
      lines.append("Exactly one of the keys \(rivals.joined(separator: ", ")) is required\(alone).")
    }
    if let shared = Self.shared(vocabulary) { lines.append(shared.sentence) }
    let own = Self.own(vocabulary)
    guard !own.isEmpty else { return lines }
    lines += ["", "| key | value | by default | example |", "|---|---|---|---|"]
    return lines + own.map { row($0, of: vocabulary) } + [""] + own.map { "- `\($0.name)`: \($0.summary)" }
  }

  /// The keys that its own section explains.
  private static func own(_ vocabulary: Vocabulary) -> [Vocabulary.Key] {
    let others = Set((shared(vocabulary)?.keys ?? []).map(\.name))
    return vocabulary.keys.filter { !others.contains($0.name) }
  }

  /// Keys that another section explains, and the sentence that links to it.
  private static func shared(_ vocabulary: Vocabulary) -> (keys: [Vocabulary.Key], sentence: String)? {
    switch vocabulary.name {
    case "call", "invariant": nil
    case "each": (vocabulary.keys, "`each` has the keys of a [budget](#budget), except `each`.")
    case _ where vocabulary["call"] != nil:
      (
        Vocabulary.callKeys,
        vocabulary["steps"] == nil
          ? "The step `\(vocabulary.name)` also has the keys of a [call](#call)."
          : "With a single call instead of `steps`, `\(vocabulary.name)` also has the keys of a [call](#call)."
      )
    case _ where Vocabulary.state.contains { $0.name == vocabulary.name } && vocabulary["settle"] != nil:
      (
        Vocabulary.terms,
        "`\(vocabulary.name)` also has these keys of an [invariant](#invariant): "
          + Vocabulary.terms.map { "`\($0.name)`" }.joined(separator: ", ") + "."
      )
    default: nil
    }
  }

  private func row(_ key: Vocabulary.Key, of vocabulary: Vocabulary) -> String {
    let example = (examples[vocabulary.name]?[key.name] ?? example(of: key.name)).map { "`\(Self.short($0))`" } ?? ""
    let standard = key.isRequired ? "*required*" : Self.standard(key)
    let cells = ["`\(key.name)`", key.shape.words, standard, example]
    return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
  }

  /// An example from another vocabulary with the same key.
  private func example(of key: String) -> JSONValue? {
    Vocabulary.all.lazy.compactMap { examples[$0.name]?[key] }.first
  }

  /// The part of the sentence before "by default".
  private static func standard(_ key: Vocabulary.Key) -> String {
    if let match = key.summary.firstMatch(of: /(?:^|[;,:] )([^;,:.]+?(?:\.[0-9]+[^;,:.]*?)?) by default/) {
      return String(match.1)
    }
    if let match = key.summary.firstMatch(of: /([a-z-]+) [^;,(]*\(default\)/) { return String(match.1) }
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
      "## Expressions", "",
      "Write expressions between `${` and `}`. An expression contains names, numbers, strings, operators and",
      "functions. Write `$${` for a literal `${`.",
    ]
      + ["If a string consists of a single `${…}`, the result keeps the type of the expression's value.", ""]
      + ["| name | meaning |", "|---|---|"]
      + ContextName.allCases.map { "| `\($0.rawValue)` | \($0.summary) |" }
      + ["", "| function | result |", "|---|---|"]
      + Function.allCases.map { "| `\($0.usage)` | \($0.summary) |" }
      + [
        "| `choose(a, b: 3, c)` | one of the words a, b and c at random; b is three times as likely as a or c |",
        "| `env(NAME)`, `env(NAME, \"otherwise\")` | the value of an environment variable, masked in all outputs |", "",
        "The operators, from the lowest to the highest precedence, are `? :`, `\\|\\|`, `&&`, `==` `!=`, "
          + "`<` `<=` `>` `>=`, `+` `-`, `*` `/` `%`, `!`, and `list[0]` `object.field`. A JSONPath query such as "
          + "`$.data[*].id` selects values in the body of the last response.",
      ]
  }

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
      "map from \(summary.keyWords) to \(inner.words)"
    case .either(let shapes): shapes.map(\.words).joined(separator: "; or ")
    case .anything: "any value"
    case .null: "null"
    }
  }
}

extension String {
  /// A sentence about the keys of a map, as a part of another sentence: `the header's name`.
  fileprivate var keyWords: String {
    let words = String(hasSuffix(".") ? dropLast() : self[...])
    return words.prefix(1).lowercased() + String(words.dropFirst()) + (words.contains(", ") ? "," : "")
  }
}
