import MurphyModel

/// Checks the statements of a limiter about itself: the rules R1 to R6 of docs/rate-limits.md §2.6, and the form of its
/// rejections.
package struct RateHeaderJudge {
  let policy: LimitPolicy
  let log: LimitLog
  let answers: [LimitAnswer]
  /// True if another policy covers some of the same operations: a rejection, and also a header, may belong to that
  /// policy.
  let shared: Bool
  /// True if it is known which requests share a counter: the policy is alone, declares its key or has one client, and
  /// is not refuted by admissions of several clients together.
  let knowsCounter: Bool
  /// The limits that the responses announce; there is more than one with several limits.
  let announced: [Int]
  /// All declared policies that share operations with this one, including itself.
  let overlapping: [LimitPolicy]
  /// The longest of their windows, or the one that was found, seconds.
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

  /// The statement of the response about its one limit; nil where it contains none or several.
  func statement(_ event: RateHeaderTrace.Event) -> LimitStatement? {
    answer(event).flatMap { $0.statements.count == 1 ? $0.statements[0] : nil }
  }

  /// The announced wait in seconds, and how much less the server may have meant: dates are truncated to seconds twice.
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
