import MurphyModel

/// An invariant over sessions: what must hold of the state behind the API, decided from the client's log.
package struct StateExpectation: Sendable {
  /// What is promised; the values that prove it are told by ``taps``.
  package enum Kind: Sendable {
    /// The last action of a voter counts.
    case ledger
    /// Each accepted write adds one.
    case counter
    /// Each accepted push raises the version by one.
    case versions
    /// One value, written as a whole.
    case register
    /// Things that are created, listed and deleted.
    case set(isSnapshot: Bool)
    /// One ticket for each message, and its receipt in the end.
    case delivery
    /// A session does not go back behind what it has seen.
    case session
    /// The scenario's own formula, with the names of the values that it reads.
    case formula(StateCondition, names: [String])
  }

  package var name: String
  package var kind: Kind
  package var mark: SourceMark
  /// What the recorder takes from which operation.
  package var taps: [StateTap]
  /// Whether nobody but the run changes its keys; nil where the scenario says nothing.
  package var isExclusive: Bool?
  /// How long an unanswered write may still take effect; nil for ever.
  package var settle: Duration?
  /// Within which time a write that was answered with 202 takes effect, or a receipt is there.
  package var within: Duration
  /// By operationId: how old an answer may be; "*" for all others.
  package var stale: [String: Duration]
  /// Whether each key is read once more when the load is over.
  package var readsAtEnd: Bool

  package init(
    name: String, kind: Kind, mark: SourceMark, taps: [StateTap], isExclusive: Bool? = nil, settle: Duration? = nil,
    within: Duration = .seconds(30), stale: [String: Duration] = [:], readsAtEnd: Bool = true
  ) {
    self.name = name
    self.kind = kind
    self.mark = mark
    self.taps = taps
    self.isExclusive = isExclusive
    self.settle = settle
    self.within = within
    self.stale = stale
    self.readsAtEnd = readsAtEnd
  }

  /// `the ledger votes`
  package var title: String { "the \(kind.word) \(name)" }
}

extension StateExpectation.Kind {
  /// Its key in the scenario.
  package var word: String {
    switch self {
    case .ledger: "ledger"
    case .counter: "counter"
    case .versions: "versions"
    case .register: "register"
    case .set: "set"
    case .delivery: "delivery"
    case .session: "session"
    case .formula: "formula"
    }
  }

  /// What is promised, in a sentence.
  package var promise: String {
    switch self {
    case .ledger: "counts show the last accepted action of each voter"
    case .counter: "each accepted write is counted once"
    case .versions: "each accepted change raises the version by one, and no change is lost"
    case .register: "reads show the value that was written last"
    case .set: "what was created is there until it is deleted"
    case .delivery: "each message gets its ticket and its receipt"
    case .session: "a session never sees less than it has seen before"
    case .formula: "the formula holds for every answer"
    }
  }
}
