import MurphyModel

extension [String: Int] {
  mutating func count(_ reason: String, _ times: Int = 1) { self[reason, default: 0] += times }

  mutating func merge(_ other: [String: Int]) { merge(other) { $0 + $1 } }

  /// Most frequent first.
  var reasons: [ReasonCount] {
    map { ReasonCount(reason: $0.key, count: $0.value) }.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }
}

/// When the scenario wanted a request sent, and how much of the delay since then is murphy's own.
struct Intent {
  /// The intended start: an arrival's moment, the end of a think time, a burst's slot, the end of the answer before.
  var due: Instant
  /// From the moment that the client could send to the one at which murphy did, nanoseconds. Waiting for the user's
  /// own connections, or for the answer before, is the API's time.
  var late: Int64 = 0
  /// Until a newer query supersedes this one, nanoseconds, by the plan and not by the answers; nil for never.
  var patience: Int64?

  /// How long a request that ended without an answer had waited; murphy's own delay does not count.
  func waited(until ended: Instant) -> Int64 {
    max(ended - due - (late > LatencyAccount.onTime ? late : 0), 0)
  }
}

/// What became of one kind of session on one loop.
struct SessionTally: Sendable, Codable {
  var started = 0
  var completed = 0
  @Paired var failed: [String: Int] = [:]
  @Paired var left: [String: Int] = [:]
  var unfinished = 0

  mutating func merge(_ other: SessionTally) {
    started += other.started
    completed += other.completed
    failed.merge(other.failed)
    left.merge(other.left)
    unfinished += other.unfinished
  }

  /// Counts what never came to an end, as a session in Swift that waits for something else.
  mutating func close() {
    unfinished = max(started - completed - failed.values.reduce(0, +) - left.values.reduce(0, +), 0)
  }
}

/// Why a planned request was never sent.
enum DropReason: Hashable, Sendable, Codable {
  /// Murphy came to it only when the load was over.
  case loadOver
  /// The user's connections were all waiting for answers until the load was over.
  case noFreeConnection
  /// The user waits for the answer before, and that had not come when the load was over.
  case answerBefore
  /// More users at once than murphy may have.
  case tooManyUsers(limit: Int)
  case feedEnded
  case unableToBegin(String)

  /// Whose doing it is that the request got no answer.
  var cause: CensoringCause {
    switch self {
    case .noFreeConnection, .answerBefore: .unsentApi
    case .loadOver, .tooManyUsers, .feedEnded, .unableToBegin: .unsentMurphy
    }
  }

  /// For want of room in murphy, not because the run ended or the scenario says so.
  var isForWantOfRoom: Bool { if case .tooManyUsers = self { true } else { false } }

  var text: String {
    switch self {
    case .loadOver: "the load was over"
    case .noFreeConnection: "the load was over before the user had a free connection"
    case .answerBefore: "the load was over before the answer came that the user waited for"
    case .tooManyUsers(let limit): "more than \(limit) users at once"
    case .feedEnded: "a feed has ended"
    case .unableToBegin(let reason): "a session cannot begin: \(reason)"
    }
  }
}

extension [DropReason: Int] {
  mutating func merge(_ other: [DropReason: Int]) { merge(other) { $0 + $1 } }

  /// Most frequent first.
  var reasons: [ReasonCount] {
    var texts: [String: Int] = [:]
    for (reason, count) in self { texts.count(reason.text, count) }
    return texts.reasons
  }
}
