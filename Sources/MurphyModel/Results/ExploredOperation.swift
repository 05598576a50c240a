/// What an exploration tried of one operation.
package struct ExploredOperation: Sendable, Codable, Hashable {
  /// The operationId.
  package var operation: String
  /// Whether its plainest request succeeded: else what is refused says little.
  package var succeeded = false
  /// The status of the plainest request; 0 without an answer.
  package var status = 0
  /// How many cases of each category were tried: `positive`, `negative`, `auth`, `state`, `pairs`, `random`.
  package var cases: [String: Int] = [:]
  /// Of the cases that were planned, how many a response decided; nil in results of earlier versions.
  package var decided: CountOf? = CountOf(done: 0, of: 0)
  /// Cases whose responses decide nothing, by reason; nil in results of earlier versions.
  package var undecided: [String: Int]? = [:]
  /// Places and constraints of the contract that a response decided.
  package var constraints = CountOf(done: 0, of: 0)
  /// Every status that came, ascending.
  package var statuses: [Int] = []

  package init(operation: String) { self.operation = operation }

  /// Cases that a response decided.
  package var trials: Int { decided?.done ?? cases.values.reduce(0, +) }
  /// Whether less than half of what was planned is decided.
  package var isMostlyUndecided: Bool { decided.map { $0.done * 2 < $0.of } ?? false }

  /// Cases that were planned and not tried.
  package var untried: Int {
    decided.map { $0.of - $0.done - (undecided ?? [:]).values.reduce(0, +) } ?? 0
  }

  /// `3 of 151 cases decided, 148 rate limited`
  package var decision: String {
    guard let decided else { return "\(trials) cases" }
    let reasons = (undecided ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
    let rest = untried > 0 ? ["\(untried) not tried"] : []
    return (["\(decided.done) of \(decided.of) cases decided"] + reasons + rest).joined(separator: ", ")
  }
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
  /// Operations of which no request was sent, and why; nil in results of earlier versions.
  package var skipped: [SkippedOperation]?
  /// What was sent that may have changed something; nil in results of earlier versions.
  package var writes: SentWrites?
  /// How many of the items that it created were deleted at its end; nil in results of earlier versions.
  package var deleted: CountOf?
  /// Items that it created and could not delete, and why.
  package var remaining: [String]?
  /// How many addresses of this machine requests came from, where a rate limit rejected them; nil for one.
  package var addresses: Int?

  package init(operations: [ExploredOperation], unrepeated: Int, untried: [String], cases: [ExploredCase]) {
    self.operations = operations
    self.unrepeated = unrepeated
    self.untried = untried
    self.cases = cases
  }
}

/// An operation that might change what murphy did not create.
package struct SkippedOperation: Sendable, Codable, Hashable {
  /// The operationId.
  package var operation: String
  package var reason: String

  package init(operation: String, reason: String) {
    self.operation = operation
    self.reason = reason
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
