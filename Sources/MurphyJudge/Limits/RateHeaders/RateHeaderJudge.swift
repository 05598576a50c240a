import MurphyModel

/// Whether what a limiter says about itself is true: the rules R1 to R6 of docs/rate-limits.md §2.5, and how it refuses.
package struct RateHeaderJudge {
  let policy: LimitPolicy
  let log: LimitLog
  let answers: [LimitAnswer]
  /// Another policy covers some of the same operations: a refusal may be that one's, and so may a header.
  let shared: Bool
  /// Which requests share a counter is known: the policy is alone, says by what it counts or has one client, and is not
  /// refuted by admissions of several clients together.
  let knowsCounter: Bool
  /// What the responses say that the limit is; more than one of several limits.
  let announced: [Int]
  /// All declared policies that share operations with this one, itself among them.
  let overlapping: [LimitPolicy]
  /// The longest of their windows, or the one that was found, seconds.
  let longestWindow: Double
  /// The server clock's step that must be granted, seconds.
  let tick: Double
  let traces: [RateHeaderTrace]
  let trustsStart: Bool
  /// Nothing contradicts the policy, so that its terms may be taken for the limiter's.
  let keepsPolicy: Bool
  /// Shared by all rules of this judge, and by nobody else.
  let tally: RateHeaderTally

  init(
    _ judged: JudgedPolicy, answers: [LimitAnswer], among policies: [LimitPolicy], keepsPolicy: Bool,
    mixesCounters: Bool
  ) {
    policy = judged.policy
    log = judged.log
    self.answers = answers
    shared = judged.isShared
    let headers = Set(judged.keys.flatMap(\.observations).map { judged.log.observations[$0].headers })
    announced = Set(headers.filter { $0 >= 0 }.flatMap { answers[Int($0)].statements.compactMap(\.limit) }).sorted()
    knowsCounter = !judged.isShared && !judged.tellsClientsApart && !mixesCounters && announced.count < 2
    overlapping = policies.filter { $0.overlaps(judged.policy) }
    longestWindow = overlapping.map(\.window.inSeconds).reduce(judged.options.foundWindow, max)
    tick = judged.gate
    self.keepsPolicy = keepsPolicy
    trustsStart = judged.options.startsQuiet
    tally = RateHeaderTally(log: judged.log, options: judged.options, policy: judged.policy)
    traces = judged.keys.map { RateHeaderTrace($0, log: judged.log, policy: judged.policy) }
  }

  func findings() -> [Finding] {
    for trace in traces {
      judgeSyntax(trace)
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

  func answer(_ event: RateHeaderTrace.Event) -> LimitAnswer? { event.answer < 0 ? nil : answers[event.answer] }

  /// What the answer says of its one limit; nil where it speaks of none or of several.
  func statement(_ event: RateHeaderTrace.Event) -> LimitStatement? {
    answer(event).flatMap { $0.statements.count == 1 ? $0.statements[0] : nil }
  }

  /// Seconds to wait as the answer says, and how much less the server may have meant: dates are cut to seconds twice.
  func wait(_ event: RateHeaderTrace.Event) -> (seconds: Double, uncertainty: Double)? {
    guard let answer = answer(event) else { return nil }
    switch answer.retryAfter {
    case .seconds(let seconds): return (Double(seconds), 0)
    case .date(let date): return answer.date.map { (date - $0, 1) }
    case nil: return nil
    }
  }

  func text(_ seconds: Double) -> String { Duration.saturating(seconds: (seconds * 1000).rounded() / 1000).text }
  func moment(_ seconds: Double) -> String { "at " + text(seconds) }
}
