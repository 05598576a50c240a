import MurphyContract
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario

/// Probes a limit on costs, or on requests in flight, with a small load that repeats the call of the scenario.
///
/// Such a limit depends on what several requests do together. So the judge of `murphy run` decides on the log of the
/// load (docs/limits.md, "Costs and requests in flight").
struct LoadedProbe {
  /// Clients with counters of their own, if the limit counts by client.
  private static let users = 2
  /// The turns of each client, and the time after each burst, for a limit on requests in flight.
  private static let (turns, pause) = (4, Duration.milliseconds(500))
  /// The maximum number of requests at the same time.
  private static let mostAtOnce = 200
  /// The load takes as many windows: one in which the quota is used up, one in which it is renewed, and a rest.
  private static let windows = 2.5

  let choice: ProbeChoice
  let operation: String
  let options: LimitsOptions

  /// The scenario with the load; nil if no session calls the operation.
  func scenario(_ scenario: Scenario) -> Scenario? {
    guard let policy = choice.policy else { return nil }
    let load = ClosedLoad(stages: [UserStage(from: Self.users, to: Self.users, duration: time)], iterations: 1)
    if policy.isConcurrent {
      // A rejection in a burst of N contradicts the limit, and in a larger burst some requests must be rejected.
      let bursts = [policy.allowance, 2 * policy.allowance + 2].map { min($0, Self.mostAtOnce) }
      return scenario.repeating(operation, bursts: bursts, turns: Self.turns, pause: Self.pause, load: load)
    }
    // All requests of the probe are spread over its time.
    let turns = max(options.maxRequests / Self.users, 1)
    return scenario.repeating(operation, bursts: [1], turns: turns, pause: time / turns, load: load)
  }

  /// The maximum duration of the load.
  var time: Duration {
    guard let policy = choice.policy else { return .zero }
    // As long for the requests as for the pauses.
    if policy.isConcurrent { return Self.pause * (4 * Self.turns) }
    return max(policy.window * (options.isQuick ? 1 : Self.windows), .seconds(2))
  }
}

extension ProbedLimit {
  /// The result of a load that was judged as those of `murphy run`.
  init(
    _ choice: ProbeChoice, _ policy: LimitPolicy, _ operation: String, _ record: RunRecord,
    _ judging: LimitJudgeOptions
  ) {
    let judged = LimitJudge.judge(log: record.limitLog, policies: [policy], beside: choice.rivals, options: judging)
    let row = judged.rows.first
    var report = ProbeReport(operation: operation, outcome: .partial)
    report.declared = policy.text
    report.requests = row?.requests ?? 0
    report.trials = row?.trials ?? 0
    report.duration = record.info.duration
    if let contradiction = row?.verdict.contradiction {
      report.agreesWithDeclared = false
      report.say(.declared(policy: policy.text, .contradicted(contradiction)))
    } else if row?.verdict == .consistent {
      report.agreesWithDeclared = true
      report.say(.declared(policy: policy.text, .confirmed(trials: report.trials)))
    }
    self.init(
      name: choice.name, operation: operation, policy: policy, report: report, row: row,
      findings: judged.findings.sorted(by: Finding.isWorse),
      verdict: Self.verdict(report, policy, row, judged.findings))
  }
}
