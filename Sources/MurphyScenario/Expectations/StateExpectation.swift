import MurphyModel
import MurphySchema

/// An invariant over sessions: what must hold of the state behind the API, decided from the client's log.
package struct StateExpectation: Sendable {
  /// What is promised; the values that prove it are told by ``taps``.
  package enum Invariant: Sendable {
    /// The last action of a voter counts, or, where votes toggle, a second one of the same kind takes the first back.
    case ledger(toggles: Bool)
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
  package var kind: Invariant
  package var mark: SourceMark
  /// What the recorder takes from which operation.
  package var taps: [StateTap]
  /// What murphy asks for before the load, and what it shows.
  package var starts: [StateStart] = []
  /// Who asks: whose thing a creation makes, and whose list a list is; nil where all see the same.
  package var owner: StateSource?
  /// What a client sends with a request and with each repetition of it, so that it is done once.
  package var idempotency: StateSource?
  /// Whether nobody but the run changes its keys; nil where the scenario says nothing.
  package var isExclusive: Bool?
  /// How long an unanswered write may still take effect; nil for ever.
  package var settle: Duration?
  /// Within which time a write that was answered with 202 takes effect, or a receipt is there.
  package var within: Duration = .seconds(30)
  /// By operationId: how old an answer may be; "*" for all others.
  package var stale: [String: Duration] = [:]
  /// Whether each key is read once more when the load is over.
  package var readsAtEnd = true

  /// `the ledger votes`
  package var title: String { "the \(kind.word) \(name)" }
}

extension StateExpectation.Invariant {
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
    case .ledger(toggles: false): "counts show the last accepted action of each voter"
    case .ledger(toggles: true): "counts show the accepted actions of each voter, of which an equal one takes one back"
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

/// Requests of one operation before the load: what was there.
package struct StateStart: Sendable {
  package var operation: OperationReference
  package var query: [(name: String, value: JSONValue)] = []
  package var headers: [(name: String, value: String)] = []
  /// The parameter in the path that takes a key; nil for one request without keys.
  package var keyName: String?
  package var keys: [String] = []
}
