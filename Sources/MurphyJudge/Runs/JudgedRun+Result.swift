import MurphyModel

extension JudgedRun {
  /// The verdict, with a row for each check and every finding.
  ///
  /// - Parameter judges: the judges, in any order.
  package func result(judges: [any Judge.Type] = JudgeResult.judges) -> RunResult {
    var ruling = JudgeResult()
    for judge in judges {
      let found = judge.rule(on: self)
      ruling.checks += found.checks
      ruling.findings += found.findings
    }
    if let credentials = record.info.lostCredentials {
      ruling.withholdUnfinished(credentials.sentence, isTainted: true)
    } else if record.info.lost != nil || record.info.setup?.failed != nil {
      ruling.withholdUnfinished("the load was ended early")
    } else if let scope = record.info.judgedScope {
      ruling.withholdUnfinished("it is judged \(scope)")
    }
    fold(&ruling)
    let onset = FailureOnset(record: record, provokesFailures: provokesFailures)
    ruling.findings = FindingGroups.grouped(ruling.findings).map(onset.explained).sorted(by: Finding.isWorse)
    let gate = StrengthGate(expected: scenario.expectations.strength, record: record)
    gate.hold(&ruling.checks)
    let coverage = ruling.checks.of(Coverage.self).first ?? record.coverage
    let drawn = Set(record.operations.sorted { $0.sent > $1.sent }.prefix(Self.drawnOperations).map(\.operation))
    let operations = record.operations.map { record in
      var operation = OperationResult(record, elapsed: self.record.info.duration)
      operation.strength = gate.strength(of: record, coverage: coverage.items)
      if drawn.contains(record.operation) { operation.timeline = OperationTimeline(record.course) }
      return operation
    }
    let weak = zip(operations, record.operations).compactMap { operation, record in
      (operation.strength?.shortfall ?? gate.uncheckedShortfall(of: record) ?? record.lackOfChecks)
        .map { "\(operation.operation): \($0)." }
    }
    let judged = verdict(of: ruling, weak: weak)
    var result = RunResult(
      verdict: judged.verdict, reasons: judged.reasons, run: record.info,
      operations: operations, sessions: record.sessions, ledger: record.ledger, findings: ruling.findings,
      budgets: ruling.checks.of(BudgetRow.self), limits: ruling.checks.of(LimitRow.self),
      state: ruling.checks.of(StateRow.self), coverage: coverage, generator: record.generator,
      timeline: record.timeline, traffic: ruling.checks.of(TrafficRow.self))
    result.tags = record.tags.isEmpty ? nil : record.tags.map { TagResult($0) }
    let relations = ruling.checks.of(RelationRow.self)
    result.relations = relations.isEmpty ? nil : relations
    // For a PASS, operations that were not called are part of its coverage and not a finding.
    if result.verdict == .pass { result.findings.removeAll { $0.kind == .contractNotTested } }
    result.relationRequests = record.relations.walked > 0 ? record.relations.walked : nil
    return result
  }

  /// The maximum of operations with a time course in the result: those with the most requests.
  private static let drawnOperations = 24

  /// Merges what outages explain into one finding at the top; the rows of checks that failed because of it refer to it.
  private func fold(_ ruling: inout JudgeResult) {
    let budgets = scenario.expectations.allBudgets
    let explained = ruling.findings.filter { outages.explain($0, budgets: budgets, record: record) }
    let measured = OutageJudge.folded(
      record.findings, under: outages, in: record, breaks: explained.map { "Failed with it: \($0.headline)" })
    let removed = Set(explained.map(\.fingerprint))
    ruling.findings = (measured + ruling.findings.filter { !removed.contains($0.fingerprint) })
      .sorted(by: Finding.isWorse)
    guard let outage = measured.first(where: { $0.kind == .transportOutage }) else { return }
    for index in ruling.checks.indices where !removed.isDisjoint(with: ruling.checks[index].findings) {
      ruling.checks[index].findings = [outage.fingerprint]
    }
  }
}

extension OperationResult {
  init(_ record: OperationRecord, elapsed: Double) {
    let served = Double(record.outcomes.answered - record.outcomes.limited)
    self.init(
      operation: record.operation, method: record.method, path: record.path, requests: record.sent,
      throughput: elapsed > 0 ? (served / elapsed * 100).rounded() / 100 : 0, outcomes: record.outcomes,
      statuses: record.statuses, latency: LatencySummary(record.latency), service: LatencySummary(record.service),
      bytesReceived: record.bytesReceived, conformance: record.conformance)
    enter(record.account)
    succeeded = record.succeeded
    phases = PhaseSummary(record.phases, service: record.service)
    retries = record.retries > 0 ? record.retries : nil
    streams = record.streams.streams > 0 ? record.streams : nil
    spared = record.spared > 0 ? record.spared : nil
    undocumented = record.isDocumented ? nil : true
    ends = record.ends
  }
}
