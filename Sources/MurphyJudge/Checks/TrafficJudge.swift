import MurphyContract
import MurphyModel
import MurphyScenario

/// Judges the checks that every run makes of its own traffic: sessions end as scripted, the operations in the scenario
/// are called, and each kind of session completes.
///
/// Sessions that still ran after the load and its grace count as neither completed nor failed: their end is unknown. A
/// session that an `on:` of the scenario ended has left as scripted.
package enum TrafficJudge {
  /// The expectations; the names are those of the sessions that took part.
  package struct Demand: Sendable {
    /// The required share of ended sessions that ended as scripted; nil when it is not required.
    package var completed: Double?
    /// The operations that the run must call.
    package var called: [String]
    /// The requirement as the scenario writes it.
    package var calledLimit: String
    /// The types of session that must complete.
    package var sessions: [String]
    /// The requirement as the scenario writes it.
    package var sessionsLimit: String
    /// The required share of requests that reuse an open connection; nil when it is not required.
    package var connections: Double?

    package init(
      completed: Double?, called: [String], calledLimit: String = "all", sessions: [String],
      sessionsLimit: String = "all", connections: Double? = nil
    ) {
      self.completed = completed
      self.called = called
      self.calledLimit = calledLimit
      self.sessions = sessions
      self.sessionsLimit = sessionsLimit
      self.connections = connections
    }
  }

  /// A row for each check that is required and on which the run has data.
  ///
  /// - Parameter outages: those of the run. Sessions that could not end because of an outage may not count as neither.
  package static func judge(_ demand: Demand, record: RunRecord, outages: [Outage] = []) -> [TrafficRow] {
    var rows: [TrafficRow] = []
    if let share = demand.completed, !record.sessions.isEmpty {
      rows.append(completed(atLeast: share, record.sessions, isDown: !outages.isEmpty))
    }
    if !demand.called.isEmpty { rows.append(called(demand, record)) }
    if !demand.sessions.isEmpty { rows.append(sessions(demand, record.sessions)) }
    if let share = demand.connections { rows.append(connections(atLeast: share, record.ledger)) }
    for index in rows.indices where rows[index].verdict == .fail {
      rows[index].findings = [finding(rows[index]).fingerprint]
    }
    return rows
  }

  private static func completed(atLeast share: Double, _ sessions: [SessionResult], isDown: Bool) -> TrafficRow {
    let failed = sessions.reduce(0) { $0 + $1.failedTotal }
    let met = sessions.reduce(0) { $0 + $1.completed + $1.leftTotal }
    let unfinished = sessions.reduce(0) { $0 + $1.unfinished }
    let ended = met + failed
    let reasons = merged(sessions.flatMap(\.failed))
    // Their end is unknown, but the target is the reason that they did not end.
    let isOpen = isDown && Double(met) < share * Double(ended + unfinished)
    let running =
      unfinished == 0
      ? ""
      : "; at the end of the load, \(counted(unfinished, "session")) \(unfinished == 1 ? "was" : "were") still running"
        + (isOpen ? "" : " (not counted)")
    let sentence: String
    switch (ended, failed) {
    case (0, _) where unfinished == 0: sentence = "no session began"
    case (0, _):
      sentence =
        "no session finished before the load ended, and \(unfinished) \(unfinished == 1 ? "was" : "were") still running"
    case (_, 0): sentence = "all \(ended.text) finished sessions ended as scripted\(running)"
    default:
      sentence =
        "\(met.text) of \(ended.text) sessions ended as scripted (\(percentText(Double(met) / Double(ended)))); ended early: "
        + listed(reasons.map { "\($0.count.text) × \($0.reason)" }) + running
    }
    return TrafficRow(
      kind: .completed, limit: percentText(share), met: met, samples: ended, exceptions: reasons, sentence: sentence,
      state: CheckState(
        trials: ended, isBroken: ended > 0 && Double(met) < share * Double(ended), isOpen: isOpen))
  }

  private static func connections(atLeast share: Double, _ ledger: Ledger) -> TrafficRow {
    let (met, all) = (ledger.reusable - ledger.reopened, ledger.reusable)
    return TrafficRow(
      kind: .connections, limit: percentText(share), met: met, samples: all, exceptions: [],
      sentence: all == 0
        ? "no user sent a second request, so no connection could be reused"
        : "\(met.text) of \(all.text) requests (\(percentText(Double(met) / Double(all)))) reused the connection of an "
          + "earlier request",
      state: CheckState(trials: all, isBroken: all > 0 && Double(met) < share * Double(all)))
  }

  private static func called(_ demand: Demand, _ record: RunRecord) -> TrafficRow {
    let known = Dictionary(record.operations.map { ($0.operation, $0) }) { first, _ in first }
    let missing = demand.called.filter { known[$0]?.sent ?? 0 == 0 }
    let failing = demand.called.compactMap { known[$0] }.filter { $0.sent > 0 && $0.succeeded == 0 }
    let all = demand.called.count
    let met = all - missing.count - failing.count
    let reason =
      record.sessions.contains { $0.started > 0 }
      ? "No session reached a step with such a call, or the branch of the step was never taken" : "No session began"
    let parts = [
      missing.isEmpty
        ? nil
        : "\(missing.count) of \(all) operations \(missing.count == 1 ? "was" : "were") never called: "
          + "\(listed(missing)). \(reason)",
      failing.isEmpty
        ? nil
        : "\(failing.count) of \(all) operations never succeeded: "
          + listed(failing.map { "\($0.operation): \($0.lackOfSuccess)" })
          + ". If this status is expected, set `expect: { status: … }` in the step",
    ].compactMap(\.self)
    return TrafficRow(
      kind: .called, limit: demand.calledLimit, met: met, samples: all,
      exceptions: missing.map { ReasonCount(reason: $0, count: 0) }
        + failing.map { ReasonCount(reason: $0.operation, count: $0.sent) },
      sentence: parts.isEmpty
        ? all == 1 ? "the only operation was called and succeeded" : "all \(all) operations were called and succeeded"
        : parts.joined(separator: ". "),
      state: met == all ? CheckState(trials: all) : .noData(trials: met))
  }

  private static func sessions(_ demand: Demand, _ sessions: [SessionResult]) -> TrafficRow {
    let required = sessions.filter { demand.sessions.contains($0.session) }
    let missing = required.filter { $0.completed == 0 }
    // A session that failed and never completed fails the check. One that only began, or left, proves nothing.
    let broken = missing.filter { $0.failedTotal > 0 }
    return TrafficRow(
      kind: .sessions, limit: demand.sessionsLimit, met: required.count - missing.count, samples: required.count,
      exceptions: missing.map { ReasonCount(reason: $0.session, count: $0.started) },
      sentence: missing.isEmpty
        ? required.count == 1
          ? "\(counted(required[0].completed, "session")) completed"
          : "each of \(required.count) session types completed at least once"
        : "session types that never completed: " + listed(missing.map(state)),
      state: CheckState(trials: required.count, isBroken: !broken.isEmpty, isOpen: !missing.isEmpty))
  }

  /// `login (40 began, 40 ended early)`
  private static func state(_ session: SessionResult) -> String {
    if session.started == 0 { return "\(session.session) (none began)" }
    let parts = [
      (session.failedTotal, "ended early"), (session.leftTotal, "ended by `on:`"),
      (session.unfinished, "still running at the end"),
    ]
    return "\(session.session) (\(session.started) began"
      + parts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined() + ")"
  }

  private static func merged(_ reasons: [ReasonCount]) -> [ReasonCount] {
    var counts: [String: Int] = [:]
    for reason in reasons { counts[reason.reason, default: 0] += reason.count }
    return counts.map { ReasonCount(reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }

  /// At most eight, and how many more.
  private static func listed(_ parts: [String]) -> String {
    parts.prefix(8).joined(separator: ", ") + (parts.count > 8 ? " and \(parts.count - 8) more" : "")
  }

  /// A finding for every failed check on the traffic: `traffic.completed`, `traffic.sessions`.
  package static func findings(_ rows: [TrafficRow]) -> [Finding] {
    rows.filter { $0.verdict == .fail }.map(finding)
  }

  /// A note where the server closed most of the connections that could have carried another request.
  package static func reconnects(_ ledger: Ledger) -> Finding? {
    guard ledger.reusable >= fewestReusable, ledger.reopened * 2 > ledger.reusable else { return nil }
    return Finding(
      kind: .transportReconnects, operation: nil,
      message:
        "\(ledger.reopened.text) of \(ledger.reusable.text) requests (\(percentText(Double(ledger.reopened) / Double(ledger.reusable)))) "
        + "had to open a new connection, because the server had closed the earlier connection",
      details: [
        "HTTP allows this, but each new connection costs one round trip for TCP and one for TLS. Keep connections open "
          + "for longer than users pause (RFC 9112 §9.3). To check this in each run, set `connections: reused >= 90%`."
      ], discriminator: "reconnects")
  }

  /// With fewer of them, a share proves little.
  private static let fewestReusable = 20

  static func finding(_ row: TrafficRow) -> Finding {
    Finding(
      kind: row.kind.finding, operation: nil, message: row.headline,
      details: row.exceptions.prefix(20).map { "\($0.count.text) × \($0.reason)" }, discriminator: row.kind.rawValue)
  }
}

extension TrafficRow.Rule {
  fileprivate var finding: FindingKind {
    switch self {
    case .completed: .trafficCompleted
    case .called: .trafficCalled
    case .sessions: .trafficSessions
    case .connections: .trafficConnections
    case .recovery: .trafficRecovery
    }
  }
}

extension TrafficRow {
  /// The sentence of the finding without its details.
  fileprivate var headline: String {
    guard kind == .completed, samples > 0 else { return statement }
    return
      "session completion \(percentText(Double(met) / Double(samples))) (\(met.text) of \(samples.text)), required ≥ \(limit)"
  }
}

/// Checks the coverage of the contract against the scenario's expectation: a share, and the coverage of earlier runs.
package enum CoverageJudge: Judge {
  package static func rule(on run: FinishedRun) -> JudgeResult {
    let seen = run.record.coverage
    guard let expected = run.scenario.expectations.coverage else { return JudgeResult(checks: [seen]) }
    let counted = Coverage(items: seen.items.filter { expected.kinds.isEmpty || expected.kinds.contains($0.kind) })
    var judged = seen
    var findings: [Finding] = []
    if let required = expected.atLeast {
      judged.required = required
      judged.state = CheckState(trials: counted.items.count, isBroken: counted.percent.map { $0 < required } ?? false)
      if let percent = counted.percent, percent < required { findings.append(below(percent, required, expected.kinds)) }
    }
    if let baseline = run.coverageBaseline {
      let lost = baseline.lost(in: counted.items)
      findings += lost.map(self.lost)
      if !lost.isEmpty { judged.state = .failed(trials: counted.items.count) }
    } else if expected.baseline != nil, judged.verdict != .fail {
      // Required, but no baseline exists: `--update-baseline` creates the file.
      judged.state = .noData(trials: 0)
    }
    judged.findings = findings.map(\.fingerprint)
    return JudgeResult(checks: [judged], findings: findings)
  }

  private static func below(_ percent: Double, _ required: Double, _ kinds: [String]) -> Finding {
    let subject = kinds.isEmpty ? "" : " of " + kinds.joined(separator: ", ")
    return Finding(
      kind: .coverageBelow, severity: .error, operation: nil,
      message: "contract coverage\(subject) is \(percentText(percent / 100)), below the required "
        + "\(percentText(required / 100))",
      details: [
        "The report lists the contract elements that were not covered. Add steps that exercise these elements, or "
          + "lower `at-least`."
      ],
      discriminator: "coverage")
  }

  private static func lost(_ item: CoverageItem) -> Finding {
    Finding(
      kind: .coverageLost, severity: .error, operation: item.operation,
      message: "\(item.kind) \(item.name) was covered by earlier runs, but not by this run",
      details: [
        "If this loss of coverage is intended, remove the element's line from the baseline file, and run with "
          + "--update-baseline."
      ])
  }
}

/// One finding for each reason why responses could not be checked, where the scenario requires that all are checked.
package enum UncheckedJudge: Judge {
  package static func rule(on run: FinishedRun) -> JudgeResult {
    guard run.failsOnUnchecked else { return JudgeResult() }
    return JudgeResult(findings: run.record.operations.flatMap(findings))
  }

  private static func findings(_ record: OperationRecord) -> [Finding] {
    // The API judged the token, and murphy sent the request again.
    record.conformance.unchecked.filter { $0.reason != Judgement.renewedToken }.map { entry in
      Finding(
        kind: .contractUnchecked, severity: .error, operation: record.operation,
        message: "\(entry.count.text) of \(record.conformance.responses.text) responses were not checked: "
          + entry.reason,
        details: ["`fail-on-unchecked` requires that every response is checked."], count: entry.count,
        lastSeen: .zero, discriminator: entry.reason)
    }
  }
}
