/// What a reader needs to know of a kind of finding beyond its rule.
///
/// Code stands between backticks, as in Markdown.
package struct FindingAdvice: Sendable, Hashable {
  /// A message of the kind as a report shows it, with its operation in front where it has one.
  package var example: String
  /// What to check or to change in the API or its contract, and how the scenario says that it is meant.
  package var remedy: String

  /// A piece of a remedy.
  package enum Part: Sendable, Hashable {
    case text(String)
    /// What stood between backticks.
    case code(String)
  }

  /// The remedy, with its code apart.
  package var remedyParts: [Part] {
    remedy.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .map { index, part in index.isMultiple(of: 2) ? .text(String(part)) : .code(String(part)) }
      .filter { $0 != .text("") }
  }

  /// The remedy without its backticks, for readers of plain text.
  package var plainRemedy: String { remedy.replacing("`", with: "") }
}
