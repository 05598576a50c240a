/// What holds for every finding of a kind, and what a reader needs to know of it. Each kind has one, in the table of its
/// subject.
///
/// Code stands between backticks, as in Markdown.
package struct FindingRule: Sendable, Hashable {
  /// The judge that reports it.
  package enum Family: String, Sendable, Hashable, CaseIterable {
    /// Does every answer match the contract?
    case contract
    /// Is every rate limit as promised?
    case limit
    /// Do counts, versions and lists follow from what was sent?
    case state
    /// Are the budgets for latency, errors and throughput met?
    case budget
    /// Do the sessions end as scripted, and is everything called?
    case traffic
    /// Do answers fit what was asked for, and each other?
    case relation
    /// How much of the contract did the run see?
    case coverage
    /// Did every request get a sound answer of HTTP?
    case transport
    /// Does the API accept what its contract allows, and refuse what it forbids?
    case explore
    /// Murphy's own limits.
    case generator

    /// Whether a finding's count is of the answers that show it, and not of occurrences.
    package var countsAnswers: Bool { self == .contract || self == .relation }
  }

  package let kind: FindingKind
  /// How severe it is, unless the occurrence itself says otherwise.
  package let severity: Finding.Severity
  /// Whether a late or overloaded generator can cause it: such a finding decides nothing when murphy was the bottleneck.
  package let isTimingSensitive: Bool
  /// What is wrong, in a sentence.
  package let sentence: String
  /// A message of the kind as a report shows it, with its operation in front where it has one.
  package let example: String
  /// What to check or to change in the API or its contract, and how the scenario says that it is meant.
  package var remedy: String

  typealias Row = FindingRule

  init(
    _ kind: FindingKind, _ severity: Finding.Severity, timing: Bool = false, _ sentence: String, example: String,
    remedy: String
  ) {
    (self.kind, self.severity, self.sentence) = (kind, severity, sentence)
    (self.example, self.remedy) = (example, remedy)
    isTimingSensitive = timing || [.budget, .traffic, .generator].contains(Self.family(of: kind))
  }

  /// The judge that reports it.
  package var family: Family { Self.family(of: kind) }

  private static func family(of kind: FindingKind) -> Family {
    Family(rawValue: String(kind.rawValue.prefix { $0 != "." })) ?? .generator
  }

  /// A test holds that no kind is missing.
  fileprivate static let table: [FindingKind: FindingRule] = Dictionary(
    (connectionsRows + contractRows + explorationRows + httpRows + limitsRows + promisesRows + refusalsRows
      + relationsRows + stateRows).map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })

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

extension FindingKind: CustomStringConvertible {
  public var description: String { rawValue }

  /// The judge that reports it.
  package var family: FindingRule.Family { rule.family }

  /// The id without its family: `over-admission`.
  package var name: String { String(rawValue.drop { $0 != "." }.dropFirst()) }

  /// What holds for every finding of the kind.
  package var rule: FindingRule {
    FindingRule.table[self] ?? FindingRule(self, .error, rawValue, example: rawValue, remedy: "")
  }
}
