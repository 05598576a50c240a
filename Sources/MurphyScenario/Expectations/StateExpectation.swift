import MurphyModel
import MurphySchema

/// An invariant over sessions: a condition on the state behind the API, decided from the client's log.
package struct StateExpectation: Sendable {
  /// The condition. ``taps`` describe the values that it is checked with.
  package enum Invariant: Sendable {
    /// The last action of a voter counts. If votes toggle, a second action of the same kind cancels the first.
    case ledger(toggles: Bool)
    /// Each accepted write adds one.
    case counter
    /// Each accepted push raises the version by one.
    case versions
    /// One value, written as a whole.
    case register
    /// Items that are created, listed and deleted.
    case set(isSnapshot: Bool)
    /// One ticket for each message, and finally its receipt.
    case delivery
    /// A session does not see a state older than one that it has already seen.
    case session
    /// The scenario's own formula, with the names of the values that it reads.
    case formula(StateCondition, names: [String])
  }

  package var name: String
  package var kind: Invariant
  /// The position in the scenario.
  package var mark: SourceMark
  /// The values that the recorder takes from each operation.
  package var taps: [StateTap]
  /// The requests that murphy sends before the load, with the values that they read.
  package var starts: [StateStart] = []
  /// The caller: the owner of a new item, and of a list; nil if all callers see the same.
  package var owner: StateSource?
  /// The value that a client sends with a request and with each repetition, so that the request takes effect once.
  package var idempotency: StateSource?
  /// True if only the run changes its keys; nil if the scenario does not specify it.
  package var isExclusive: Bool?
  /// The time in which an unanswered write may still take effect; nil for no limit.
  package var settle: Duration?
  /// The time within which a write answered with 202 takes effect, or a receipt exists.
  package var within: Duration = .seconds(30)
  /// By operationId: the maximum age of a response; "*" for all others.
  package var stale: [String: Duration] = [:]
  /// True if each key is read once more after the load.
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

  /// The condition, as a sentence.
  package var promise: String {
    switch self {
    case .ledger(toggles: false): "counts show the last accepted action of each voter"
    case .ledger(toggles: true):
      "counts show the accepted actions of each voter; a second equal one takes the first back"
    case .counter: "each accepted write is counted once"
    case .versions: "each accepted change raises the version by one, and no change is lost"
    case .register: "reads show the value that was written last"
    case .set: "created items exist until they are deleted"
    case .delivery: "each message gets its ticket and its receipt"
    case .session: "a session never sees a smaller value than before"
    case .formula: "the formula holds for every response"
    }
  }
}

/// Requests of one operation before the load that read the initial state.
package struct StateStart: Sendable {
  package var operation: OperationReference
  package var query: [(name: String, value: JSONValue)] = []
  package var headers: [(name: String, value: String)] = []
  /// The path parameter that takes a key; nil for one request without keys.
  package var keyName: String?
  /// Names of the keys to read; empty for an invariant without keys.
  package var keys: [String] = []
}
