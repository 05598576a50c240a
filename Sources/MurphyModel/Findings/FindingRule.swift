/// The properties of all findings of a kind, and their explanation for readers. Each kind has one rule, in the table of
/// its subject.
///
/// Code is between backticks, as in Markdown.
package struct FindingRule: Sendable, Hashable {
  /// The judge that reports it.
  package enum Family: String, Sendable, Hashable, CaseIterable {
    /// Responses match the contract.
    case contract
    /// Every rate limit behaves as declared.
    case limit
    /// Counts, versions and lists follow from the requests that were sent.
    case state
    /// The budgets for latency, errors and throughput are met.
    case budget
    /// The sessions end as scripted, and every operation is called.
    case traffic
    /// Responses are consistent with their requests and with each other.
    case relation
    /// The part of the contract that the run covered.
    case coverage
    /// Every request got a valid HTTP response.
    case transport
    /// The API accepts requests that its contract allows, and rejects requests that it forbids.
    case explore
    /// The candidate of a comparison gives the same responses as the base.
    case behaviour
    /// Murphy's own limits.
    case generator

    /// True if the count of a finding is the number of affected responses, and not of occurrences.
    package var countsResponses: Bool { [.contract, .relation, .behaviour].contains(self) }
  }

  /// The kind that the row describes.
  package let kind: FindingKind
  /// The severity, unless the occurrence itself sets another.
  package let severity: Finding.Severity
  /// True if a late or overloaded generator can cause it: such a finding decides nothing if murphy was the bottleneck.
  package let isTimingSensitive: Bool
  /// The error, in a sentence.
  package let sentence: String
  /// A message of the kind as in a report, with its operation in front if it has one.
  package let example: String
  /// The parts of the API or its contract to check or change, and how the scenario declares that it is intended.
  package var remedy: String

  typealias Row = FindingRule

  init(
    _ kind: FindingKind, _ severity: Finding.Severity, timing: Bool = false, _ sentence: String, example: String,
    remedy: String
  ) {
    (self.kind, self.severity, self.sentence) = (kind, severity, sentence)
    (self.example, self.remedy) = (example, remedy)
    isTimingSensitive = timing || [.budget, .traffic, .generator].contains(kind.family)
  }

  /// Every kind once; a test reads the rule of each.
  fileprivate static let table: [FindingKind: FindingRule] = Dictionary(
    uniqueKeysWithValues: (behaviourRows + connectionsRows + contractRows + explorationRows + exploredHTTPRows
      + httpRows + limitsRows
      + promisesRows + refusalsRows + relationsRows + stateRows).map { ($0.kind, $0) })

  /// The remedy without its backticks, for readers of plain text.
  package var plainRemedy: String { remedy.replacing("`", with: "") }
}

extension FindingKind: CustomStringConvertible {
  public var description: String { rawValue }

  /// The judge that reports it.
  package var family: FindingRule.Family {
    guard let family = FindingRule.Family(rawValue: String(rawValue.prefix { $0 != "." })) else {
      preconditionFailure("the id \(rawValue) does not begin with a family")
    }
    return family
  }

  /// The id without its family: `over-admission`.
  package var name: String { String(rawValue.drop { $0 != "." }.dropFirst()) }

  /// The properties of every finding of the kind.
  package var rule: FindingRule {
    guard let rule = FindingRule.table[self] else { preconditionFailure("no table has a row for \(rawValue)") }
    return rule
  }
}
