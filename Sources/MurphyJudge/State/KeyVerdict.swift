import MurphyModel

/// The result of the log for one key of an invariant.
package struct KeyVerdict: Sendable {
  /// The decision on one key.
  package enum Decision: Sendable {
    case violated(StateViolation)
    /// No contradiction.
    case consistent
    /// No conclusion is possible, with the reason.
    case inconclusive(String)
  }

  /// Entry of the log's names.
  package var key: Int32
  package var outcome: Decision
  /// The data that it depends on.
  package var power: Power

  /// The sensitivity of the responses' tests.
  package struct Power: Sendable {
    /// The number of responses that showed the key.
    package var reads = 0
    /// Those of them that could have revealed a wrong server.
    package var sharp = 0
    /// The sum over the sharp ones: the number of values that would have passed, minus one.
    package var slack: Int64 = 0
    /// The number of changes that the client requested.
    package var writes = 0

    /// Adds the counts of another key.
    package static func += (sum: inout Power, more: Power) {
      sum.reads += more.reads
      sum.sharp += more.sharp
      sum.slack += more.slack
      sum.writes += more.writes
    }
  }
}

extension KeyVerdict {
  /// - Parameter violation: nil without a contradiction.
  init(key: Int32, _ violation: StateViolation?, power: Power) {
    self.init(key: key, outcome: violation.map { .violated($0) } ?? .consistent, power: power)
  }
}

/// A contradiction: the responses are impossible for every order of the effects.
package struct StateViolation: Sendable, Hashable {
  package var kind: FindingKind
  package var fact: Fact
  /// The exchanges that prove it, by their index in the log, in the order of their sends.
  package var witness: [Int]
  /// The number of further changes in the proof that are not named one by one.
  package var more = 0
  /// A possible explanation.
  package var cause: Cause?

  /// The maximum of changes that a witness names; more are counted.
  static let mostNamed = 64

  /// - Parameters:
  ///   - witness: in any order; nil and -1 mean none.
  ///   - writes: changes that belong to the proof, in the order of their sends; the last ones are named.
  init(_ kind: FindingKind, _ fact: Fact, witness: [Int?], writes: [Int] = []) {
    self.kind = kind
    self.fact = fact
    let named = witness.compactMap(\.self).filter { $0 >= 0 } + writes.suffix(Self.mostNamed)
    self.witness = Set(named).sorted()
    more = max(writes.count - Self.mostNamed, 0)
  }

  /// The contradiction, with the values for its sentence.
  package enum Fact: Sendable, Hashable {
    /// The counted events, the number in a response, and the possible numbers.
    case count(Counted, shown: Int64, possible: ClosedRange<Int64>)
    /// A count decreased from one number to another.
    case countWentBack(from: Int64, to: Int64)
    /// Accepted increments that do not fit between any two responses.
    case countMissing
    /// More than were sent.
    case countTooHigh(shown: Int64)
    /// A push that was based on one version was given another than the next.
    case versionStep(based: Int64, given: Int64)
    case versionTwice(Int64)
    case versionBack(shown: Int64, after: Int64)
    case versionContents(Int64)
    case versionUnwritten(Int64)
    case versionRefused(Int64)
    /// A value that a later one had replaced when it was requested.
    case valueStale
    case valueUnwritten
    case valuesCross
    case noOrder
    case itemTwice
    case itemEarly
    case itemReturned
    case itemMissing
    case itemUnknown(shown: Int, possible: Int)
    case listContradicts
    case itemForeign
    case itemRepeated
    case ticketCount(messages: Int64, tickets: Int64)
    case ticketOrder(place: Int64)
    case ticketTwice
    case receiptMissing
    case receiptUnasked
    /// The receipt contradicts the required result of its message.
    case receiptWrong
    case receiptChanged
    case batchRepeated
    case sessionBack(shown: Int64, known: Int64)
    case formula(shown: Int64?)
  }

  /// What a fact counts.
  package enum Counted: String, Sendable, Hashable {
    case up, down, both
  }

  /// The one change of assumptions that makes the responses possible; a hint for the message, and never a premise.
  package enum Cause: Sendable, Hashable {
    case refusedCounted
    case repeatsCounted
    case repeatsKept
    case repeatsTakenBack
    case changesOnlyAdd
    case removalsIgnored
    /// The accepted write that was lost, by its index in the log; nil where several would explain it.
    case lost(Int?)
  }
}
