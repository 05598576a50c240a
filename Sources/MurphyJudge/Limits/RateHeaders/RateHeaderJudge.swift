import MurphyModel

/// Checks the statements of a limiter about itself: the rules R1 to R6 of docs/rate-limits.md §2.6, and the form of its
/// rejections.
package struct RateHeaderJudge {
  let policy: LimitPolicy
  let log: LimitLog
  let responses: [LimitResponse]
  /// True if another policy covers some of the same operations: a rejection, and also a header, may belong to that
  /// policy.
  let shared: Bool
  /// True if it is known which requests share a counter: the policy is alone, declares its key or has one client, and
  /// is not refuted by admissions of several clients together.
  let knowsCounter: Bool
  /// The limits that the responses announce for this policy; there is more than one with several limits.
  let announced: [Int]
  /// By response: the statement about this policy.
  let owns: [LimitStatement?]
  /// All declared policies that share operations with this one, including itself.
  let overlapping: [LimitPolicy]
  /// The longest of their windows, or the one that was found, seconds.
  let longestDeclared: Double
  /// The same with the windows that the headers announce.
  let longestWindow: Double
  /// The tolerance for the resolution of the server's clock, seconds.
  let tick: Double
  let traces: [RateHeaderTrace]
  let trustsStart: Bool
  /// True if nothing contradicts the policy, so that its terms count as the limiter's.
  let keepsPolicy: Bool
  /// Shared by all rules of this judge only.
  let tally: RateHeaderTally

  init(
    _ judged: JudgedPolicy, responses: [LimitResponse], among policies: [LimitPolicy], keepsPolicy: Bool,
    mixesCounters: Bool
  ) {
    policy = judged.policy
    log = judged.log
    self.responses = responses
    shared = judged.isShared
    overlapping = policies.filter { $0.overlaps(judged.policy) }
    let scope = HeaderScope(judged, responses: responses)
    owns = scope.owns
    announced = scope.limits
    knowsCounter = !judged.isShared && !judged.tellsClientsApart && !mixesCounters && scope.isOneCounter
    longestDeclared = overlapping.map(\.window.inSeconds).reduce(judged.options.foundWindow, max)
    longestWindow = max(longestDeclared, scope.longestWindow)
    tick = judged.gate
    self.keepsPolicy = keepsPolicy
    trustsStart = judged.options.startsQuiet
    tally = RateHeaderTally(log: judged.log, options: judged.options, policy: judged.policy)
    traces = judged.keys.map { RateHeaderTrace($0, log: judged.log, policy: judged.policy, scope: scope) }
  }

  func findings() -> [Finding] {
    for trace in traces {
      judgeSyntax(trace)
      // With costs, neither a wait nor the remaining quota says whether the next request is admitted.
      if policy.cost != nil { continue }
      judgeRetryAfter(trace)
      judgeDrift(trace)
      judgeRemaining(trace)
    }
    judgeRefusalBodies()
    judgeStatuses()
    judgeNeighbours()
    judgeSlowRefusals()
    return tally.findings
  }

  func response(_ event: RateHeaderTrace.Event) -> LimitResponse? {
    event.response < 0 ? nil : responses[event.response]
  }

  /// The statement of the response about this policy; nil where it contains none.
  func statement(_ event: RateHeaderTrace.Event) -> LimitStatement? {
    event.response < 0 ? nil : owns[event.response]
  }

  /// The announced wait in seconds, and how much less the server may have meant: dates are truncated to seconds twice.
  func wait(_ event: RateHeaderTrace.Event) -> (seconds: Double, uncertainty: Double)? {
    guard let response = response(event) else { return nil }
    switch response.retryAfter {
    case .seconds(let seconds): return (Double(seconds), 0)
    case .date(let date): return response.date.map { (date - $0, 1) }
    case nil: return response.exactWait.map { ($0, 0) }
    }
  }

  func text(_ seconds: Double) -> String { Duration.saturating(seconds: seconds).text(places: 3) }
  func moment(_ seconds: Double) -> String { "at " + text(seconds) }
}

/// One key's requests with the statements of the responses about the limit.
struct RateHeaderTrace {
  struct Event {
    var sent: Double
    /// Infinite for a response that was not received.
    var settled: Double
    /// A rejection by another limit that the headers report may have counted, and is `possible`.
    var role: LimitTrace.Role
    /// True for a rejection by any limit.
    var isRejection: Bool
    var observation: Int
    /// The index into the parsed responses, -1 without headers.
    var response: Int
    var operation: UInt32
    var identity: UInt32
  }

  let key: String
  /// Ascending by `sent`.
  let events: [Event]
  /// True if no request was counted on this key for at least a window before its first request.
  let startsQuiet: Bool
  /// True if some requests were admitted and failed: they may have begun a window without being counted.
  let hasFailures: Bool
  /// The certain admissions, ascending by `settled`.
  private let admitted: [(settled: Double, sent: Double)]
  /// The requests that may have counted: all that were sent, ascending, and the latest settled up to there.
  private let countedSent: [Double]
  private let latestSettled: [Double]
  private let sortedSettled: [Double]

  init(_ keyed: KeyedTrace, log: LimitLog, policy: LimitPolicy, scope: HeaderScope) {
    key = keyed.key
    let refusedMayCount = policy.counts.refused != .no
    events = keyed.observations.map { index in
      let observation = log.observations[index]
      let role = policy.role(of: observation, in: log)
      // The content of a header after a failed request is not specified.
      let isFailure = role != .refused && observation.status >= 400
      let isForeign = role == .refused && scope.isForeign(observation, in: log)
      return Event(
        sent: Double(observation.sent - log.start) * 1e-9,
        settled: observation.answered.map { Double($0 - log.start) * 1e-9 } ?? .infinity,
        role: isFailure || isForeign ? .possible : role, isRejection: role == .refused, observation: index,
        response: Int(observation.headers), operation: observation.operation, identity: observation.identity)
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

  /// The latest time, at or before `moment`, until which a counted request may have changed the limiter's state.
  func latestChange(upTo moment: Double) -> Double {
    let before = countedSent.count(upTo: moment)
    return before == 0 ? -.infinity : latestSettled[before - 1]
  }

  /// The number of certain admissions with a response before `moment`.
  func admissions(before moment: Double) -> Int { admitted.partitioningIndex { $0.settled >= moment } }

  /// A time before which none of the `allowance` requests was sent that are in force when the event is rejected. Nil
  /// when so many were not certainly admitted before and the key's past is unknown.
  func earliestStart(before event: Event, allowance: Int) -> Double? {
    let before = admissions(before: event.sent)
    guard before >= allowance else { return startsQuiet ? events.first?.sent : nil }
    return admitted[(before - allowance)..<before].lazy.map(\.sent).min()
  }

  /// The latest time since which `allowance` requests can have counted when the event was decided: the cause of the
  /// rejection began no later. Nil when there were never so many.
  func latestStart(before event: Event, allowance: Int, tick: Double) -> Double? {
    let before = countedSent.count(upTo: event.settled + tick)
    return before >= allowance ? min(sortedSettled[before - allowance], event.settled) : nil
  }
}
