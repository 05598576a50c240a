/// What an exploration tried of one operation.
public struct ExploredOperation: Sendable, Codable, Hashable {
  /// The operationId.
  public var operation: String
  /// Whether its plainest request was answered with a status of class 2 or 3: else what is refused says little.
  public var succeeded = false
  /// The status of the plainest request; 0 without an answer.
  public var status = 0
  /// How many cases of each category were tried: `positive`, `negative`, `auth`, `state`, `pairs`, `random`.
  public var cases: [String: Int] = [:]
  /// Places and constraints of the contract that were tried.
  public var constraints = CountOf(done: 0, of: 0)
  /// Every status that came, ascending.
  public var statuses: [Int] = []

  package init(operation: String) { self.operation = operation }
}

/// So many of so many.
public struct CountOf: Sendable, Codable, Hashable {
  /// How many there were.
  public var done: Int
  /// Out of how many.
  public var of: Int

  package init(done: Int, of: Int) {
    self.done = done
    self.of = of
  }
}

/// What an exploration did: a request for each thing that the contract says, and for some that it forbids.
public struct Exploration: Sendable, Codable, Hashable {
  /// In the contract's order.
  public var operations: [ExploredOperation]
  /// Suspicions that did not come again when their requests were repeated.
  public var unrepeated: Int
  /// What was not tried, and why, in sentences.
  public var untried: [String]
  /// The cases that showed something, in the findings' order.
  public var cases: [ExploredCase]

  package init(operations: [ExploredOperation], unrepeated: Int, untried: [String], cases: [ExploredCase]) {
    self.operations = operations
    self.unrepeated = unrepeated
    self.untried = untried
    self.cases = cases
  }
}

/// A case by which `--replay` finds it again: the same document and seed list the same cases.
public struct ExploredCase: Sendable, Codable, Hashable {
  /// Of the finding.
  public var fingerprint: String
  /// The operationId.
  public var operation: String
  /// What is tried, where: `positive body /price maximum: …`.
  public var name: String

  package init(fingerprint: String, operation: String, name: String) {
    self.fingerprint = fingerprint
    self.operation = operation
    self.name = name
  }
}
