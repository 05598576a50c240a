/// One relation of one operation: whether it was checked, and its result.
public struct RelationRow: Sendable, Codable, Hashable {
  /// The result.
  public enum Status: String, Sendable, Codable, Hashable, CaseIterable {
    /// Some response could have broken it, and none did.
    case kept
    case broken
    /// The contract defines it, but nothing in this run could have broken it.
    case untested
    /// The contract does not define it, or the scenario switches it off.
    case off
  }

  /// The operationId.
  public var operation: String
  /// The relation's name, as in the scenario: `page-size`.
  package var relation: String
  /// The requirement, for people.
  public var promise: String
  /// The result.
  public private(set) var outcome: Status
  /// Why it is on, off or untested: the part of the contract or the scenario that decides it.
  package var reason: String
  /// The number of trials: responses, or pairs of them, that could have broken it.
  package private(set) var samples: Int
  /// Fingerprints of the findings that explain why it is broken.
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
