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
  /// The decision on the key.
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
  /// The kind of the finding.
  package var kind: FindingKind
  /// The values that contradict the rule.
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

  /// The value in a response, and the possible values.
  package var sentence: String {
    switch fact {
    case .count(let counted, let shown, let possible):
      let what = shown.text + (counted == .both ? "" : " as \"\(counted.rawValue)\"")
      if possible.upperBound == .max {
        return "a response shows \(what), expected at least \(possible.lowerBound.text)"
      }
      return possible.lowerBound == possible.upperBound
        ? "a response shows \(what), expected \(possible.lowerBound.text)"
        : "a response shows \(what), expected \(possible.lowerBound.text) to \(possible.upperBound.text)"
    case .countWentBack(let from, let to):
      return "a response shows the count \(to), but an earlier response showed \(from), and no write lowers the count"
    case .countMissing: return "the responses leave no time at which an accepted increment can have taken effect"
    case .countTooHigh(let shown):
      return "a response shows the count \(shown), more than the writes that had been sent by then can explain"
    case .versionStep(let based, let given):
      return "a change that was based on version \(based) got version \(given) instead of \(based + 1)"
    case .versionTwice(let version): return "two changes got version \(version)"
    case .versionBack(let shown, let after):
      return "version \(shown) was shown or used as a base although version \(after) had been confirmed before"
    case .versionContents(let version): return "version \(version) has two different contents"
    case .versionUnwritten(let version): return "version \(version) was shown, but no client wrote it"
    case .versionRefused(let version):
      return "a change based on version \(version) was rejected although version \(version) was current the whole time"
    case .valueStale: return "a response shows a value that had been replaced before the request was sent"
    case .valueUnwritten: return "a response shows a value that no client had written by then"
    case .valuesCross: return "the responses show two values in contradictory orders"
    case .noOrder: return "no order of the writes explains the responses"
    case .itemTwice: return "two creations returned the same id"
    case .itemEarly: return "the item was shown or deleted before its creation was sent"
    case .itemReturned: return "the item was shown after its deletion was confirmed"
    case .itemMissing: return "the item was created and not deleted, but a response does not contain it"
    case .itemUnknown(let shown, let possible):
      return "a list shows \(shown.text) items that no client is known to have created; only \(possible.text) "
        + "could exist"
    case .listContradicts: return "one list shows items that never existed at the same time"
    case .itemForeign: return "the list of another user shows the item"
    case .itemRepeated: return "two creations with the same idempotency key returned two ids"
    case .ticketCount(let messages, let tickets):
      return "\(messages) messages were sent, but \(tickets) tickets were returned"
    case .ticketOrder(let place): return "ticket \(place) of a batch does not belong to message \(place)"
    case .ticketTwice: return "two tickets have the same id"
    case .receiptMissing: return "a ticket had no receipt after the time allowed for it"
    case .receiptUnasked: return "a response contains a receipt that was not requested"
    case .receiptWrong: return "a receipt does not have the outcome that its message requires"
    case .receiptChanged: return "a ticket's receipt changed between two requests"
    case .batchRepeated: return "a message that was sent twice with one idempotency key got two tickets"
    case .sessionBack(let shown, let known):
      return "a session read \(shown) although it had written or read \(known) before"
    case .formula(let shown):
      return "the formula does not hold\(shown.map { " for a response that shows \($0)" } ?? "")"
    }
  }

  /// A possible explanation; nil if none of the tried ones applies.
  package var causeSentence: String? {
    switch cause {
    case nil: nil
    case .refusedCounted: "One explanation: rejected writes were counted."
    case .repeatsCounted: "One explanation: every action was counted, also repeated ones."
    case .repeatsKept: "One explanation: a second vote of the same kind did not revoke the first."
    case .repeatsTakenBack: "One explanation: a second vote of the same kind revoked the first."
    case .changesOnlyAdd: "One explanation: a changed vote was counted without removing the old one."
    case .removalsIgnored: "One explanation: removals were confirmed and not executed."
    case .lost(nil): "One explanation: one accepted write was lost."
    case .lost: "One explanation: the accepted write that is marked as lost was lost."
    }
  }
}
