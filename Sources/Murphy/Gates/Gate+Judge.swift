import MurphyJudge
import MurphyModel
import MurphyScenario

extension Gate {
  /// The verdict on a run, with a row for each promise. A pure function of the record.
  public func judge(_ record: RunRecord, options: RunOptions = RunOptions()) -> RunResult {
    let expectations = scenario.expectations
    var budgets = BudgetJudge.judge(expectations.allBudgets, record: record)
    let outages = OutageJudge.outages(in: record)
    var traffic = judgeImpliedPromises(record, outages)
    let state = unjudgedState
    let limits = judgeLimits(record, options: options)
    let coverage = CoverageJudge.judge(
      record.coverage, expected: expectations.coverage, baseline: coverageBaseline)
    let failsOnUnchecked = options.failOnUnchecked || expectations.failOnUnchecked
    let unchecked = failsOnUnchecked ? record.operations.flatMap(\.uncheckedFindings) : []
    let own = BudgetJudge.findings(budgets) + ImpliedPromiseJudge.findings(traffic)
    let explained = own.filter { outages.explain($0, budgets: expectations.allBudgets, record: record) }
    let measured = OutageJudge.folded(
      record.findings, under: outages, in: record, breaks: explained.map { "Broken with it: \($0.headline)" })
    let broken = own.filter { !explained.contains($0) }
    let stalls = StallJudge.finding(StallJudge.stalls(in: record, besides: outages))
    let findings = (measured + [stalls].compactMap(\.self) + limits.findings + coverage.findings + broken + unchecked)
      .sorted(by: Finding.isWorse)
    if let outage = findings.first(where: { $0.kind == .transportOutage }) {
      let removed = Set(explained.map(\.fingerprint))
      for index in budgets.indices where !removed.isDisjoint(with: budgets[index].findings) {
        budgets[index].findings = [outage.fingerprint]
      }
      for index in traffic.indices where !removed.isDisjoint(with: traffic[index].findings) {
        traffic[index].findings = [outage.fingerprint]
      }
    }
    let judged = VerdictJudge.judge(
      cutShort: record.info.cutShort, findings: findings, budgets: budgets, limits: limits.rows, state: state,
      coverage: coverage.coverage, generator: record.generator, ledger: record.ledger,
      failOnUnchecked: failsOnUnchecked, traffic: traffic)
    let result = RunResult(
      verdict: judged.verdict, reasons: judged.reasons, run: record.info,
      operations: record.operations.map { OperationResult($0, elapsed: record.info.duration) },
      sessions: record.sessions, ledger: record.ledger, findings: withCommands(findings, record.info, options),
      budgets: budgets, limits: limits.rows, state: state, coverage: coverage.coverage, generator: record.generator,
      timeline: record.timeline, traffic: traffic)
    return result.masked(by: record.mask)
  }
}

extension Gate {
  /// Invariants over sessions are read and not judged: no data, never a silent pass.
  private var unjudgedState: [StateRow] {
    scenario.expectations.state.map { expectation in
      StateRow(name: expectation.name, sentence: expectation.sentence, samples: 0, verdict: .noData)
    }
  }
}

extension OperationRecord {
  /// One finding for each reason for which answers could not be checked, where every answer is asked to be.
  var uncheckedFindings: [Finding] {
    conformance.unchecked.map { entry in
      Finding(
        kind: .contractUnchecked, severity: .error, operation: operation,
        message: "\(entry.count) of \(conformance.answers) answers were not checked: \(entry.reason)",
        details: ["`fail-on-unchecked` asks for every answer to be checked."], count: entry.count,
        lastSeen: 0, discriminator: entry.reason)
    }
  }
}

extension OperationResult {
  init(_ record: OperationRecord, elapsed: Double) {
    let answered = Double(record.outcomes.answered)
    self.init(
      operation: record.operation, method: record.method, path: record.path, requests: record.sent,
      throughput: elapsed > 0 ? (answered / elapsed * 100).rounded() / 100 : 0, outcomes: record.outcomes,
      statuses: record.statuses, latency: LatencySummary(record.latency), service: LatencySummary(record.service),
      bytesReceived: record.bytesReceived, conformance: record.conformance)
    enter(record.account)
    undocumented = record.isDocumented ? nil : true
    ends = record.ends
  }
}
