import MurphyJudge
import MurphyModel

/// One limiter, as the probe saw it.
package struct ProbedLimit: Sendable, Codable, Hashable {
  /// The policy's name, or the operationId.
  package var name: String
  /// The operation that was called.
  package var operation: String
  /// What was promised; nil for a black box.
  package var policy: LimitPolicy?
  package var report: ProbeReport
  /// What the sound rules prove from the probe's own log; nil without a promise.
  package var row: LimitRow?
  package var findings: [Finding]
  package var verdict: Verdict
}

extension ProbedLimit {
  package init(_ choice: ProbeChoice, _ outcome: ProbeSession.Log, _ judging: LimitJudgeOptions) {
    var report = outcome.report
    if let policy = choice.policy {
      if report.countsFailed == true, policy.counts.failed == .no { report.contradict(policy.text, .countsFailed) }
      if report.raceExcess ?? 0 > 0 { report.contradict(policy.text, .race) }
    }
    var findings = Self.findings(report, choice.policy, outcome.answers)
    var row: LimitRow?
    if let policy = choice.policy {
      var counting = policy
      // The malformed requests of the probe itself: what became of them is known, or not promised.
      if report.countsFailed == nil { counting.counts.failed = .perhaps }
      var judging = judging
      if report.outcome == .identified, let window = report.window { judging.foundWindow = window.high }
      let judged = LimitJudge.judge(
        log: outcome.log.attributed(outcome.variants, by: report, under: policy.key), policies: [counting],
        options: judging)
      row = judged.rows.first
      // The probe's own proof rests on more than the log of one key.
      if row?.verdict == .consistent, let contradiction = report.contradiction {
        row?.verdict = .contradictory
        row?.sentence = contradiction.sentence
      }
      findings += judged.findings
    }
    if !outcome.answers.wasServed {
      report.retract { _ in true }
      report.sayFirst(.notServed(statuses: outcome.answers.base.keys.sorted()))
      report.outcome = .unfinished
      report.agreesWithDeclared = nil
      findings = []
      row = nil
    }
    self.init(
      name: choice.name, operation: report.operation, policy: choice.policy, report: report, row: row,
      findings: findings.sorted(by: Finding.isWorse),
      verdict: Self.verdict(report, choice.policy, row, findings))
  }
}

extension ProbedLimit {
  /// What a probe means: pass when the promise was confirmed (or, without one, the limiter identified), fail when it
  /// was contradicted, no data when the probe could not tell.
  static func verdict(_ report: ProbeReport, _ policy: LimitPolicy?, _ row: LimitRow?, _ findings: [Finding]) -> Verdict
  {
    if findings.contains(where: { $0.severity == .error }) { return .fail }
    if report.contradictsTerms { return .fail }
    guard policy != nil else { return report.outcome == .identified || report.outcome == .shaping ? .pass : .noData }
    if report.agreesWithDeclared == true { return .pass }
    return .noData
  }

  /// One line for people.
  package var reason: String {
    switch verdict {
    case .pass:
      "\(name): \(policy.map { "confirmed: \($0.text)" } ?? "identified: \(report.text ?? "requests are delayed")")"
    case .fail:
      "\(name): " + (findings.first { $0.severity == .error }?.message ?? "contradicted")
    case .noData, .invalid:
      "\(name): not decided (\(report.outcome.rawValue))" + (report.wasLate ? ": this machine was late" : "")
    }
  }
}

extension ProbeReport {
  /// Sends or answers were so late that questions were asked again.
  package var wasLate: Bool { facts.contains { if case .late = $0 { true } else { false } } }
}
