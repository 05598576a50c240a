import MurphyModel

/// One key's requests with what the answers said about the limit.
struct RateHeaderTrace {
  struct Event {
    var sent: Double
    /// Infinite for an answer that never came.
    var settled: Double
    var role: LimitTrace.Role
    var observation: Int
    /// Index into the parsed answers, -1 without headers.
    var answer: Int
    var operation: UInt32
    var identity: UInt32
  }

  let key: String
  /// Ascending by `sent`.
  let events: [Event]
  /// Nothing was counted on this key for at least a window before its first request.
  let startsQuiet: Bool
  /// Some requests were let through and failed: they may have begun a window without being counted.
  let hasFailures: Bool
  /// Of the certain admissions, ascending by `settled`.
  private let admitted: [(settled: Double, sent: Double)]
  /// Of the requests that may have counted: all that was sent, ascending, and the latest settled up to there.
  private let countedSent: [Double]
  private let latestSettled: [Double]
  private let sortedSettled: [Double]

  init(_ keyed: KeyedTrace, log: LimitLog, policy: LimitPolicy) {
    key = keyed.key
    let refusedMayCount = policy.counts.refused != .no
    events = keyed.observations.map { index in
      let observation = log.observations[index]
      let role = policy.role(of: observation, in: log)
      // What a header must say after a request that failed is not promised.
      let isFailure = role != .refused && observation.status >= 400
      return Event(
        sent: Double(observation.sent - log.start) * 1e-9,
        settled: observation.answered.map { Double($0 - log.start) * 1e-9 } ?? .infinity,
        role: isFailure ? .possible : role, observation: index, answer: Int(observation.headers),
        operation: observation.operation, identity: observation.identity)
    }
    .sorted { $0.sent < $1.sent }
    startsQuiet = keyed.trace.startsQuiet
    hasFailures = events.contains { $0.role == .possible && $0.settled < .infinity }
    admitted = events.filter { $0.role == .certain }.map { ($0.settled, $0.sent) }.sorted { $0.settled < $1.settled }
    let counted = events.filter { $0.role != .refused || refusedMayCount }
    countedSent = counted.map(\.sent)
    sortedSettled = counted.map(\.settled).sorted()
    var latest = -Double.infinity
    latestSettled = counted.map {
      latest = max(latest, $0.settled)
      return latest
    }
  }

  /// The latest moment, at or before `moment`, until which a counted request may have changed the limiter's state.
  func latestChange(upTo moment: Double) -> Double {
    let before = countedSent.count(upTo: moment)
    return before == 0 ? -.infinity : latestSettled[before - 1]
  }

  /// How many certain admissions were answered before `moment`.
  func admissions(before moment: Double) -> Int { admitted.partitioningIndex { $0.settled >= moment } }

  /// A moment before which none of the `allowance` requests was sent that are in force when the event is refused; nil
  /// when so many were not surely admitted before and the key's past is unknown.
  func earliestStart(before event: Event, allowance: Int) -> Double? {
    let before = admissions(before: event.sent)
    guard before >= allowance else { return startsQuiet ? events.first?.sent : nil }
    return admitted[(before - allowance)..<before].lazy.map(\.sent).min()
  }

  /// The latest moment since which `allowance` requests can have counted when the event was decided: what refused it
  /// began no later. Nil when so many never were.
  func latestStart(before event: Event, allowance: Int, tick: Double) -> Double? {
    let before = countedSent.count(upTo: event.settled + tick)
    return before >= allowance ? min(sortedSettled[before - allowance], event.settled) : nil
  }
}
