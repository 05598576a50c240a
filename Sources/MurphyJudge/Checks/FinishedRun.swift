import MurphyContract
import MurphyModel
import MurphyScenario

/// A finished run with all its expectations: the only input of every judge.
package struct FinishedRun: Sendable {
  /// The measurements.
  package let record: RunRecord
  /// The expectations.
  package let scenario: Scenario
  /// Includes the undocumented operations that the run called.
  package let contract: Contract
  /// The coverage of the contract by earlier runs; nil without a file of it.
  package var coverageBaseline: CoverageBaseline?
  /// True if every response must be checked.
  package var failsOnUnchecked: Bool
  /// The options for the limit log, in addition to the policies.
  package var limits: LimitJudgeOptions
  /// True if only this run writes to the target.
  package var isAlone = false
  /// True if its requests are made to fail, as those of an exploration are.
  package var provokesFailures = false
  /// The factor on every limiter's window, as set at the start of an embedded reference API.
  package var timeScale = 1.0
  /// Stretches in which no client got a response from the target.
  package let outages: [Outage]

  /// Leaves out findings after the time at which the credentials stopped working.
  package init(_ record: RunRecord, _ scenario: Scenario, _ contract: Contract) {
    var record = record
    // Findings after the credentials stopped working are not caused by the API.
    if let lost = record.info.lostCredentials { record.findings.removeAll { $0.firstSeen >= lost.at } }
    self.record = record
    self.scenario = scenario
    self.contract = contract.adding(undocumentedOf: record.operations)
    failsOnUnchecked = scenario.expectations.failOnUnchecked
    limits = LimitJudgeOptions()
    limits.target = record.info.target
    limits.measuresStrength = true
    limits.operations = self.contract.summaries
    limits.refusalBudget = scenario.expectations.limits.compactMap(\.refusalBudget).min()
    outages = OutageJudge.outages(in: record)
  }

  /// For a target that was started for this run, on this machine's clock, exact to the nanosecond.
  package mutating func isEmbedded(timeScale: Double) {
    isAlone = true
    limits.startsQuiet = true
    limits.sharesClock = true
    limits.tick = .milliseconds(1)
    self.timeScale = timeScale
  }

  /// The result of one shard alone: the violations in its responses. All other checks are judged on all shards
  /// together, because they cannot pass or fail on a part of the traffic.
  package var shardResult: RunResult {
    var result = result(judges: [])
    guard let shard = record.info.shard else { return result }
    let isWhole = !record.info.cutShort && record.info.setup?.failed == nil && record.ledger.contradictions.isEmpty
    guard isWhole else {
      result.verdict = .invalid
      return result
    }
    result.verdict = .shard
    result.reasons = result.generator.doubts
    if shard.late > .seconds(1) {
      result.reasons.append("This shard began \(shard.late.text(places: 1)) late.")
    }
    if let corrected = shard.corrected {
      result.reasons.append(
        "This machine's clock is off by \(corrected.magnitude.text(places: 1)). Murphy has corrected the start time."
      )
    }
    return result
  }
}

/// Computes the one verdict from all rows and findings.
///
/// Precedence: a run that was cut short, whose setup failed or whose credentials stopped working is invalid. A failed
/// check that does not depend on murphy's own timing (an outage, contract, limits, state) fails the run independently
/// of the generator. When the generator was the bottleneck, budgets and the traffic prove nothing, so the rest is
/// invalid. Next are failed budgets and traffic. A budget fails only if every completion of the unknown data fails it,
/// murphy's own lateness included. So it also fails when murphy could not send all planned requests. Next, requests
/// that murphy did not send, or leaves undecided by its lateness, make the run invalid. Last is missing data.
extension FinishedRun {
  /// - Parameter weak: operations whose responses could not be checked at all, or less than the scenario requires.
  package func verdict(of ruling: JudgeResult, weak: [String] = []) -> (verdict: Verdict, reasons: [String]) {
    let shutOut = shutOut
    var untested = weak
    if let shutOut {
      untested.insert(shutOut, at: 0)
    } else if record.ledger.answered > 0, record.operations.allSatisfy({ $0.succeeded == 0 }) {
      untested.insert("No request succeeded.", at: 0)
    }
    var judged = verdict(of: ruling, untested: untested)
    if judged.verdict == .fail {
      let early = record.info.lost.map { "The load was ended early: \($0.sentence)." }
      judged.reasons = [shutOut, early].compactMap(\.self) + judged.reasons
    }
    return judged
  }

  private func verdict(of ruling: JudgeResult, untested: [String]) -> (verdict: Verdict, reasons: [String]) {
    let (info, ledger, generator) = (record.info, record.ledger, record.generator)
    let (findings, open) = (ruling.findings, ruling.checks.filter(\.isOpen))
    let failed = ruling.checks.filter { $0.state.verdict == .fail }
    let (budgets, traffic) = (failed.of(BudgetRow.self).map(\.reason), failed.of(TrafficRow.self).map(\.reason))
    var reasons: [String] = []
    var invalid: [String] = ledger.contradictions.map { "The request accounting is inconsistent: \($0)." }
    if let reason = info.setup?.failed { invalid.append("The setup failed, so no load was sent: \(reason).") }
    if let credentials = info.lostCredentials {
      invalid.append(
        credentials.sentence.capitalizedFirst
          + ": \(credentials.count). The checks ignore all responses after the first such response.")
    }
    if info.cutShort || isGivenUp(ruling) {
      invalid.append("The run was cut short and has no verdict.")
    }

    let facts = findings.filter { $0.severity == .error && !$0.kind.rule.isTimingSensitive }
    reasons += facts.map(\.counted)
    // The findings of a failed limit give the reason; a limit without one gives it itself.
    let reported = Set(facts.flatMap(\.fingerprints))
    reasons += failed.of(LimitRow.self).filter { reported.isDisjoint(with: $0.findings) }.map(\.reason)
    reasons += failed.of(StateRow.self).map(\.reason)
    if failsOnUnchecked, ledger.uncheckedTotal > 0, !facts.contains(where: { $0.kind == .contractUnchecked }) {
      reasons.append(
        "\(ledger.uncheckedTotal) responses were not checked, but `fail-on-unchecked` requires that murphy checks each "
          + "response.")
    }
    if !invalid.isEmpty { return (verdict: .invalid, reasons: invalid + reasons) }
    if !reasons.isEmpty { return (verdict: .fail, reasons: reasons + budgets + traffic) }
    let weights = Set((generator.reservations ?? []).map(\.kind.weight))
    if weights.contains(.forbidsTiming) { return (verdict: .invalid, reasons: generator.doubts) }

    var failures = budgets
    // Sessions that this machine had no capacity for fail for a reason that is not the API's.
    if !weights.contains(.forbidsPass) { failures += traffic }
    // A request for which this machine had no port, file or memory proves nothing about the API.
    failures += findings.filter {
      $0.severity == .error && $0.kind.rule.isTimingSensitive && !$0.hasRow && $0.kind != .transportExhausted
    }.map(\.counted)
    if !failures.isEmpty { return (verdict: .fail, reasons: failures) }

    let owed = open.of(BudgetRow.self).filter { $0.undecided?.cause == .generator }.map(\.reason)
    if !generator.doubts.isEmpty || !owed.isEmpty {
      return (verdict: .invalid, reasons: generator.doubts + owed)
    }

    // The most general first: where no request succeeded, the rest follows from it.
    var missing = open.of(TrafficRow.self).map(\.reason) + open.of(BudgetRow.self).map(\.reason)
    missing += open.of(LimitRow.self).map(\.reason) + untested
    missing += open.of(StateRow.self).map(\.reason) + open.of(Coverage.self).map(\.reason)
    if ledger.answered == 0 { missing.insert("No request got a response.", at: 0) }
    return (verdict: missing.isEmpty ? .pass : .noData, reasons: missing)
  }

  /// The reason that all operations with required credentials failed, where each of their responses was 401 or 403.
  private var shutOut: String? {
    let needing = contract.operations.filter { $0.isDocumented && !$0.isOpen }.map(\.id)
    let protected = record.operations.filter { record in
      record.outcomes.answered > 0 && (needing.isEmpty || needing.contains(record.operation))
    }
    let statuses = protected.flatMap(\.statuses).reduce(into: [Int: Int]()) { $0[$1.status, default: 0] += $1.count }
    guard !statuses.isEmpty, protected.allSatisfy({ $0.succeeded == 0 }),
      statuses.keys.allSatisfy({ $0 == 401 || $0 == 403 })
    else { return nil }
    let seen = statuses.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }.joined(separator: ", ")
    return
      "No \(needing.isEmpty ? "request" : "operation that needs credentials") succeeded, and each response was 401 or "
      + "403 (\(seen)). Check the credentials and their permissions."
  }

  /// True if the load was ended by a budget that does not fail on the whole record: then the rest is missing.
  private func isGivenUp(_ ruling: JudgeResult) -> Bool {
    guard let lost = record.info.lost else { return false }
    return !ruling.checks.of(BudgetRow.self).contains {
      $0.operation == lost.operation && $0.metric == lost.metric && $0.limit == lost.limit && $0.verdict == .fail
    }
  }
}

extension Finding {
  /// Its row contains the same.
  fileprivate var hasRow: Bool { kind.family == .budget || kind.family == .traffic }

  /// The headline and the number of occurrences.
  fileprivate var counted: String {
    let many = kind.family.countsResponses ? " (in \(count.text) responses)" : " (\(count.text) times)"
    return headline + (count > 1 ? many : "")
  }
}

extension FinishedRun {
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
      ruling.withholdUnfinished("the run is judged only \(scope)")
    }
    fold(&ruling)
    ruling.findings = RecoveryJudge.excused(ruling.findings, in: self)
    let onset = FailureOnset(record: record, contract: contract, provokesFailures: provokesFailures)
    let (findings, lead) = onset.leading(FindingGroups.grouped(ruling.findings).sorted(by: Finding.isWorse))
    let tails = lead.map(onset.tails(behind:)) ?? []
    let causes = FindingCauses(record: record, expectations: scenario.expectations, lead: lead, tails: tails)
    ruling.findings = causes.joined(findings)
    for index in ruling.findings.indices where ruling.findings[index].kind == .budgetLatency {
      let cause = ruling.findings[index].operation.flatMap { record.spans?.cause(of: $0) }
      if let cause { ruling.findings[index].message += "; \(cause)" }
    }
    let gate = StrengthGate(expected: scenario.expectations.strength, record: record)
    gate.hold(&ruling.checks)
    let coverage = ruling.checks.of(Coverage.self).first ?? record.coverage
    let drawn = Set(record.operations.sorted { $0.sent > $1.sent }.prefix(Self.drawnOperations).map(\.operation))
    let operations = record.operations.map { record in
      var operation = OperationResult(record, elapsed: self.record.info.duration.inSeconds)
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
    result.spans = record.spans
    result.relationRequests = record.relations.walked > 0 ? record.relations.walked : nil
    return result
  }

  /// The maximum of operations with a time course in the result: those with the most requests.
  private static let drawnOperations = 24

  /// Merges what outages explain into one finding at the top; the rows of checks that failed because of it refer to it.
  private func fold(_ ruling: inout JudgeResult) {
    let budgets = scenario.expectations.allBudgets
    let explained = ruling.findings.filter { outages.explain($0, budgets: budgets, record: record) }
    // The walk after an exploration tests the same rules of HTTP.
    let walked = ruling.findings.filter { $0.kind.family == .relation }
    let own = record.findings.filter { finding in
      !walked.contains { $0.kind == finding.kind && $0.operation == finding.operation }
    }
    let measured = OutageJudge.folded(
      own, under: outages, in: record, breaks: explained.map { "The outage also caused: \($0.headline)" })
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
