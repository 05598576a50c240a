/// One relation of one operation: whether it was looked for, and how it came out.
public struct RelationRow: Sendable, Codable, Hashable {
  /// How it came out.
  public enum Status: String, Sendable, Codable, Hashable, CaseIterable {
    /// Some answer could have broken it, and none did.
    case kept
    case broken
    /// The contract shows it, and nothing of this run could have broken it.
    case untested
    /// The contract does not show it, or the scenario switches it off.
    case off
  }

  /// The operationId.
  public var operation: String
  /// The relation's name, as in the scenario: `page-size`.
  package var relation: String
  /// What it promises, for people.
  public var promise: String
  /// How it came out.
  public private(set) var outcome: Status
  /// Why it is on, off or untested: what in the contract or the scenario says so.
  package var reason: String
  /// Its trials: responses, or pairs of them, that could have broken it.
  package private(set) var samples: Int
  /// Fingerprints of the findings that tell why it is broken.
  public var findings: [String] = []

  package init(
    operation: String, relation: String, promise: String, outcome: Status, reason: String, samples: Int,
    findings: [String] = []
  ) {
    self.operation = operation
    self.relation = relation
    self.promise = promise
    self.outcome = outcome == .kept && Trials(samples) == nil ? .untested : outcome
    self.reason = reason
    self.samples = samples
    self.findings = findings
  }
}
