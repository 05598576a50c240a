/// What an exploration tried of one operation.
package struct ExploredOperation: Sendable, Codable, Hashable {
  /// The operationId.
  package var operation: String
  /// Whether its plainest request was answered with a status of class 2 or 3: else what is refused says little.
  package var succeeded = false
  /// The status of the plainest request; 0 without an answer.
  package var status = 0
  /// How many cases of each category were tried: `positive`, `negative`, `auth`, `state`, `pairs`, `random`.
  package var cases: [String: Int] = [:]
  /// Places and constraints of the contract that were tried.
  package var constraints = CountOf(done: 0, of: 0)
  /// Every status that came, ascending.
  package var statuses: [Int] = []

  package init(operation: String) { self.operation = operation }
}

/// So many of so many.
package struct CountOf: Sendable, Codable, Hashable {
  /// How many there were.
  package var done: Int
  /// Out of how many.
  package var of: Int

  package init(done: Int, of: Int) {
    self.done = done
    self.of = of
  }
}

/// What an exploration did: a request for each thing that the contract says, and for some that it forbids.
package struct Exploration: Sendable, Codable, Hashable {
  /// In the contract's order.
  package var operations: [ExploredOperation]
  /// Suspicions that did not come again when their requests were repeated.
  package var unrepeated: Int
  /// What was not tried, and why, in sentences.
  package var untried: [String]
  /// The cases that showed something, in the findings' order.
  package var cases: [ExploredCase]

  package init(operations: [ExploredOperation], unrepeated: Int, untried: [String], cases: [ExploredCase]) {
    self.operations = operations
    self.unrepeated = unrepeated
    self.untried = untried
    self.cases = cases
  }
}

/// A case by which `--replay` finds it again: the same document and seed list the same cases.
package struct ExploredCase: Sendable, Codable, Hashable {
  /// Of the finding.
  package var fingerprint: String
  /// The operationId.
  package var operation: String
  /// What is tried, where: `positive body /price maximum: …`.
  package var name: String

  package init(fingerprint: String, operation: String, name: String) {
    self.fingerprint = fingerprint
    self.operation = operation
    self.name = name
  }
}
