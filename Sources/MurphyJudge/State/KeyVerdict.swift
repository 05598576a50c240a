import MurphyModel

/// What the log says of one key of an invariant.
package struct KeyVerdict: Sendable {
  package enum Decision: Sendable {
    case violated(StateViolation)
    /// No contradiction.
    case consistent
    /// Nothing can be said, and why.
    case inconclusive(String)
  }

  package var key: Int32
  package var outcome: Decision
  /// What it rests on.
  package var power: Power

  /// How sharp the answers' tests were.
  package struct Power: Sendable {
    /// Answers that showed the key.
    package var reads = 0
    /// Those of them that a wrong server could have failed.
    package var sharp = 0
    /// Sum over the sharp ones: how many values would have passed, besides one.
    package var slack: Int64 = 0
    /// Changes that the client asked for.
    package var writes = 0

    package static func += (sum: inout Power, more: Power) {
      sum.reads += more.reads
      sum.sharp += more.sharp
      sum.slack += more.slack
      sum.writes += more.writes
    }
  }
}

extension KeyVerdict {
  /// - Parameter violation: nil where nothing contradicts.
  init(key: Int32, _ violation: StateViolation?, power: Power) {
    self.init(key: key, outcome: violation.map { .violated($0) } ?? .consistent, power: power)
  }
}

/// A contradiction: no order of the effects explains what the answers show.
package struct StateViolation: Sendable, Hashable {
  package var kind: FindingKind
  package var fact: Fact
  /// The exchanges that prove it, by their place in the log, in the order of their sends.
  package var witness: [Int]
  /// Changes that also belong to the proof and are not named one by one.
  package var more = 0
  /// What would explain it.
  package var cause: Cause?

  /// Changes that a witness names; more are counted.
  static let mostNamed = 64

  /// - Parameters:
  ///   - witness: in any order; nil and -1 stand for none.
  ///   - writes: changes that belong to the proof, in the order of their sends; the last ones are named.
  init(_ kind: FindingKind, _ fact: Fact, witness: [Int?], writes: [Int] = []) {
    self.kind = kind
    self.fact = fact
    let named = witness.compactMap(\.self).filter { $0 >= 0 } + writes.suffix(Self.mostNamed)
    self.witness = Set(named).sorted()
    more = max(writes.count - Self.mostNamed, 0)
  }

  package enum Fact: Sendable, Hashable {
    /// What was counted, the number that an answer shows, and which numbers were possible.
    case count(Counted, shown: Int64, possible: ClosedRange<Int64>)
    /// A count went back from one number to another.
    case countWentBack(from: Int64, to: Int64)
    /// Accepted increments that fit between no two answers.
    case countMissing
    /// More than was sent.
    case countTooHigh(shown: Int64)
    /// A push that was based on one version was given another than the next.
    case versionStep(based: Int64, given: Int64)
    case versionTwice(Int64)
    case versionBack(shown: Int64, after: Int64)
    case versionContents(Int64)
    case versionUnwritten(Int64)
    case versionRefused(Int64)
    /// A value that a later one had replaced when it was asked for.
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
    /// It does not say what must become of its message.
    case receiptWrong
    case receiptChanged
    case batchRepeated
    case sessionBack(shown: Int64, known: Int64)
    case formula(shown: Int64?)
  }

  package enum Counted: String, Sendable, Hashable {
    case up, down, both
  }

  /// The one change of assumptions under which the answers fit; a hint for the message, and never a premise.
  package enum Cause: Sendable, Hashable {
    case refusedCounted
    case repeatsCounted
    case repeatsKept
    case repeatsTakenBack
    case changesOnlyAdd
    case removalsIgnored
    /// The accepted write that was not kept, by its place in the log; nil where several would explain it.
    case lost(Int?)
  }
}
