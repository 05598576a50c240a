/// The results of an exploration for one operation.
package struct ExploredOperation: Sendable, Codable, Hashable {
  /// The operationId.
  package var operation: String
  /// True if its minimal valid request succeeded: otherwise rejections mean little.
  package var succeeded = false
  /// The status of the minimal valid request; 0 without a response.
  package var status = 0
  /// The number of cases tried in each category: `positive`, `negative`, `auth`, `state`, `pairs`, `random`.
  package var cases: [String: Int] = [:]
  /// The number of planned cases that a response decided; nil in results of earlier versions.
  package var decided: CountOf? = CountOf(done: 0, of: 0)
  /// Cases whose responses decide nothing, by reason; nil in results of earlier versions.
  package var undecided: [String: Int]? = [:]
  /// Places and constraints of the contract that a response decided.
  package var constraints = CountOf(done: 0, of: 0)
  /// Every observed status, ascending.
  package var statuses: [Int] = []

  package init(operation: String) { self.operation = operation }

  /// Cases that a response decided.
  package var trials: Int { decided?.done ?? cases.values.reduce(0, +) }
  /// True if less than half of the planned cases are decided.
  package var isMostlyUndecided: Bool { decided.map { $0.done * 2 < $0.of } ?? false }

  /// Cases that were planned but not tried.
  package var untried: Int {
    decided.map { $0.of - $0.done - (undecided ?? [:]).values.reduce(0, +) } ?? 0
  }

  /// `3 of 151 cases decided, 148 rate limited`
  package var decision: String {
    guard let decided else { return "\(trials) test cases" }
    let reasons = (undecided ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
    let rest = untried > 0 ? ["\(untried) not tried"] : []
    return (["\(decided.done) of \(decided.of) test cases decided"] + reasons + rest).joined(separator: ", ")
  }
}

/// A count and its total.
package struct CountOf: Sendable, Codable, Hashable {
  /// The count.
  package var done: Int
  /// The total.
  package var of: Int

  package init(done: Int, of: Int) {
    self.done = done
    self.of = of
  }
}

/// The results of an exploration: a request for each element of the contract, and for some values that it forbids.
package struct Exploration: Sendable, Codable, Hashable {
  /// In the contract's order.
  package var operations: [ExploredOperation]
  /// Suspected problems that were not reproduced.
  package var unrepeated: Int
  /// The parts that were not tried, and why, in sentences.
  package var untried: [String]
  /// The cases with a finding, in the findings' order.
  package var cases: [ExploredCase]
  /// Operations without a request, and why; nil in results of earlier versions.
  package var skipped: [SkippedOperation]?
  /// Requests that may have changed data; nil in results of earlier versions.
  package var writes: SentWrites?
  /// The number of created items that were deleted at its end; nil in results of earlier versions.
  package var deleted: CountOf?
  /// Items that it created and could not delete, and why.
  package var remaining: [String]?
  /// The number of this machine's addresses that sent requests, if a rate limit rejected them; nil for one.
  package var addresses: Int?

  package init(operations: [ExploredOperation], unrepeated: Int, untried: [String], cases: [ExploredCase]) {
    self.operations = operations
    self.unrepeated = unrepeated
    self.untried = untried
    self.cases = cases
  }
}

/// An operation that might change data that murphy did not create.
package struct SkippedOperation: Sendable, Codable, Hashable {
  /// The operationId.
  package var operation: String
  /// The reason why it was skipped.
  package var reason: String

  package init(operation: String, reason: String) {
    self.operation = operation
    self.reason = reason
  }
}

/// The identity of a case for `--replay`: the same document and seed list the same cases.
package struct ExploredCase: Sendable, Codable, Hashable {
  /// The fingerprint of the finding.
  package var fingerprint: String
  /// The operationId.
  package var operation: String
  /// The tested value and its place: `positive body /price maximum: …`.
  package var name: String

  package init(fingerprint: String, operation: String, name: String) {
    self.fingerprint = fingerprint
    self.operation = operation
    self.name = name
  }
}
