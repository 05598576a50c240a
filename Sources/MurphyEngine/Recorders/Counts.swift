import MurphyModel

extension [String: Int] {
  mutating func count(_ reason: String, _ times: Int = 1) { self[reason, default: 0] += times }

  mutating func merge(_ other: [String: Int]) { merge(other) { $0 + $1 } }

  /// Most frequent first.
  var reasons: [ReasonCount] {
    map { ReasonCount(reason: $0.key, count: $0.value) }.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }
}

/// The time at which the scenario planned a request, and the part of the delay since then that murphy caused.
struct Intent {
  /// The intended start: the time of an arrival, the end of a think time, the slot of a burst, or the end of the
  /// previous response.
  var due: Instant
  /// The time from when the client could send until murphy did, nanoseconds. A wait for the user's own connections, or
  /// for the previous response, is the API's time.
  var late: Int64 = 0
  /// The time until a newer query supersedes this one, nanoseconds, by the plan and not by the responses; nil for
  /// never.
  var patience: Int64?

  /// The time that a request without a response had waited. Murphy's own delay does not count.
  func waited(until ended: Instant) -> Int64 {
    max(ended - due - (late > LatencyAccount.onTime ? late : 0), 0)
  }
}

/// The results of one kind of session on one loop.
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

  /// Counts the sessions that did not end, such as a session in Swift that waits for something else.
  mutating func close() {
    unfinished = max(started - completed - failed.values.reduce(0, +) - left.values.reduce(0, +), 0)
  }
}

/// The reason why a planned request was never sent.
enum DropReason: Hashable, Sendable, Codable {
  /// Murphy processed it only after the load was over.
  case loadOver
  /// All of the user's connections waited for responses until the load was over.
  case noFreeConnection
  /// The user waits for the previous response, which was not received before the load was over.
  case answerBefore
  /// There are more users at the same time than murphy permits.
  case tooManyUsers(limit: Int)
  case feedEnded
  case unableToBegin(String)

  /// The cause of the missing response.
  var cause: CensoringCause {
    switch self {
    case .noFreeConnection, .answerBefore: .unsentApi
    case .loadOver, .tooManyUsers, .feedEnded, .unableToBegin: .unsentMurphy
    }
  }

  /// True if murphy had no capacity; false if the run ended or the scenario is the reason.
  var isForWantOfRoom: Bool { if case .tooManyUsers = self { true } else { false } }

  var text: String {
    switch self {
    case .loadOver: "the load was over"
    case .noFreeConnection: "the load was over before the user had a free connection"
    case .answerBefore: "the load was over before the user received the awaited response"
    case .tooManyUsers(let limit): "more than \(limit) users at the same time"
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
