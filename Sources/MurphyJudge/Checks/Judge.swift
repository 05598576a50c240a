import MurphyContract
import MurphyModel
import MurphyScenario

/// One check of a finished run: a pure function of the record and of the expectations.
package protocol Judge {
  static func rule(on run: FinishedRun) -> JudgeResult
}

/// The findings of the judges.
package struct JudgeResult: Sendable {
  /// A row for each check that they decide.
  package var checks: [any CheckRow]
  /// The findings of the judge.
  package var findings: [Finding]

  package init(checks: [any CheckRow] = [], findings: [Finding] = []) {
    self.checks = checks
    self.findings = findings
  }

  /// All judges of a run. To add one, create a file with its type, and add a line here.
  package static var judges: [any Judge.Type] {
    [
      LimitJudge.self,
      CoverageJudge.self,
      RelationJudge.self,
      StallJudge.self,
      DriftJudge.self,
      BudgetJudge.self,
      TrafficJudge.self,
      RecoveryJudge.self,
      StateJudge.self,
      UncheckedJudge.self,
    ]
  }

  /// A load that a lost budget ended, or that did not begin, proves nothing about its missing rest: operations that
  /// were not called yet, sessions that did not complete yet, parts of the contract, throughput. The same applies to a
  /// load with missing shards.
  ///
  /// - Parameters:
  ///   - reason: the reason for a throughput without a verdict.
  ///   - isTainted: true if the rest of the load was sent without working credentials: budgets and sessions are not
  ///     judged.
  mutating func withholdUnfinished(_ reason: String, isTainted: Bool = false) {
    var withdrawn: Set<String> = []
    func withdraw(_ row: some CheckRow) -> CheckState {
      withdrawn.formUnion(row.findings)
      return .noData(trials: row.state.trials)
    }
    checks.update(TrafficRow.self) { row in
      guard row.verdict == .fail, isTainted || row.kind != .completed else { return }
      (row.state, row.findings) = (withdraw(row), [])
    }
    checks.update(BudgetRow.self) { row in
      guard row.verdict == .fail, isTainted || row.metric == .throughput else { return }
      (row.state, row.findings) = (withdraw(row), [])
      row.undecided = BudgetRow.Undecided(.tooFewSamples, reason)
    }
    checks.update(Coverage.self) { row in
      guard row.verdict == .fail else { return }
      (row.state, row.findings) = (withdraw(row), [])
    }
    findings.removeAll { withdrawn.contains($0.fingerprint) }
  }
}

extension LimitJudge: Judge {
  package static func rule(on run: FinishedRun) -> JudgeResult {
    let expected = run.scenario.expectations.limits
    let policies = LimitExpectations.policies(expected, run.contract, timeScale: run.timeScale)
    let log = run.record.limitLog.counting(run.contract)
    var judged = judge(log: log, policies: policies, options: run.limits)
    judged.findings += add(run.record.races, of: policies, to: &judged.rows, options: run.limits).filter { race in
      !judged.findings.contains { $0.fingerprint == race.fingerprint }
    }
    return JudgeResult(
      checks: judged.rows,
      findings: judged.findings + LimitExpectations.contradictions(expected, run.contract)
        + LimitExpectations.overlongWaits(expected, log))
  }
}

extension BudgetJudge: Judge {
  package static func rule(on run: FinishedRun) -> JudgeResult {
    let rows = judge(run.scenario.expectations.allBudgets, record: run.record)
    return JudgeResult(checks: rows, findings: findings(rows))
  }
}

extension TrafficJudge: Judge {
  /// The checks are those of the sessions that took part.
  package static func rule(on run: FinishedRun) -> JudgeResult {
    let (scenario, contract) = (run.scenario, run.contract)
    let expected = scenario.expectations.traffic
    let present = Set(run.record.sessions.map(\.session))
    var seen: Set<String> = []
    let named = scenario.sessions.filter { present.contains($0.name) }.flatMap(\.operations)
      // A request that is written out may be an operation of the contract, and is counted as such.
      .map { name in contract.index(of: name).map { contract.operations[$0].id } ?? name }
      .filter { seen.insert($0).inserted }
    let demand = Demand(
      completed: expected.completed, called: expected.called.chosen(of: named), calledLimit: expected.called.text,
      sessions: expected.sessions.chosen(of: run.record.sessions.map(\.session)),
      sessionsLimit: expected.sessions.text, connections: expected.connections)
    let rows = judge(demand, record: run.record, outages: run.outages)
    let note = expected.connections == nil ? reconnects(run.record.ledger) : nil
    return JudgeResult(checks: rows, findings: findings(rows) + [note].compactMap(\.self))
  }
}
