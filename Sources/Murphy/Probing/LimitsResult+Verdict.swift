import MurphyJudge
import MurphyModel
import MurphyScenario

extension LimitsResult {
  /// Fail when any promise was contradicted, no data when any was not decided, else pass.
  init(scenario: Scenario, target: String, limits: [ProbedLimit], isCutShort: Bool) {
    let verdicts = limits.map(\.verdict)
    let verdict: Verdict =
      verdicts.contains(.fail) ? .fail : isCutShort || verdicts.contains(.noData) || limits.isEmpty ? .noData : .pass
    self.init(
      scenario: scenario.name, target: target, version: Murphy.version, verdict: verdict,
      reasons: limits.filter { $0.verdict == verdict }.map(\.reason), limits: limits, isCutShort: isCutShort)
    if isCutShort { reasons.append("ended by the user before all was known") }
  }
}

extension ProbedLimit {
  init(_ choice: ProbeChoice, _ outcome: ProbeSession.Outcome, _ judging: LimitJudgeOptions) {
    var report = outcome.report
    var findings = Self.findings(report, choice.policy, outcome.answers)
    var row: LimitRow?
    if let policy = choice.policy {
      var counting = policy
      // The malformed requests of the probe itself: what became of them is known, or not promised.
      if report.countsFailed == nil { counting.counts.failed = .perhaps }
      let judged = LimitJudge.judge(log: outcome.log, policies: [counting], options: judging)
      row = judged.rows.first
      findings += judged.findings
    }
    if !outcome.answers.wasServed {
      let statuses = outcome.answers.base.keys.sorted().map(String.init).joined(separator: ", ")
      report.sentences.insert(
        "No request was served (\(statuses.isEmpty ? "no answers" : "status \(statuses)")): the probe cannot tell the limiter's refusals from the API's own.",
        at: 0)
      report.outcome = .unfinished
      report.agreesWithDeclared = nil
      findings = []
    }
    self.init(
      name: choice.name, operation: report.operation, policy: choice.policy, report: report, row: row,
      findings: findings.sorted(by: Finding.isWorse),
      verdict: Self.verdict(report, choice.policy, row, findings))
  }
}
