import MurphyContract
import MurphyModel
import MurphyScenario

extension BudgetJudge: Judge {
  package static func rule(on run: JudgedRun) -> Ruling {
    var ruling = Ruling()
    ruling.budgets = judge(run.scenario.expectations.allBudgets, record: run.record)
    ruling.findings = findings(ruling.budgets)
    return ruling
  }
}

extension ImpliedPromiseJudge: Judge {
  /// The promises are those of the sessions that took part.
  package static func rule(on run: JudgedRun) -> Ruling {
    let (scenario, contract) = (run.scenario, run.contract)
    let expected = scenario.expectations.traffic
    let present = Set(run.record.sessions.map(\.session))
    var seen: Set<String> = []
    let named = scenario.sessions.filter { present.contains($0.name) }.flatMap(\.operations)
      // A request that is written out may be an operation of the contract, and is counted as that.
      .map { name in contract.index(of: name).map { contract.operations[$0].id } ?? name }
      .filter { seen.insert($0).inserted }
    let demand = Demand(
      completed: expected.completed, called: expected.called.chosen(of: named), calledLimit: expected.called.text,
      sessions: expected.sessions.chosen(of: run.record.sessions.map(\.session)),
      sessionsLimit: expected.sessions.text, connections: expected.connections)
    var ruling = Ruling()
    ruling.traffic = judge(demand, record: run.record, outages: run.outages)
    ruling.findings = findings(ruling.traffic)
    if expected.connections == nil, let note = reconnects(run.record.ledger) { ruling.findings.append(note) }
    return ruling
  }
}

extension LimitJudge: Judge {
  package static func rule(on run: JudgedRun) -> Ruling {
    let expected = run.scenario.expectations.limits
    let policies = LimitExpectations.policies(expected, run.contract, timeScale: run.timeScale)
    let log = run.record.limitLog.counting(run.contract)
    let judged = judge(log: log, policies: policies, options: run.limits)
    var ruling = Ruling(
      findings: judged.findings + LimitExpectations.contradictions(expected, run.contract)
        + LimitExpectations.overlongWaits(expected, log))
    ruling.limits = judged.rows
    return ruling
  }
}

extension CoverageJudge: Judge {
  package static func rule(on run: JudgedRun) -> Ruling {
    let judged = judge(
      run.record.coverage, expected: run.scenario.expectations.coverage, baseline: run.coverageBaseline)
    var ruling = Ruling(findings: judged.findings)
    ruling.coverage = judged.coverage
    return ruling
  }
}

extension StallJudge: Judge {
  package static func rule(on run: JudgedRun) -> Ruling {
    Ruling(findings: [finding(stalls(in: run.record, besides: run.outages))].compactMap(\.self))
  }
}
