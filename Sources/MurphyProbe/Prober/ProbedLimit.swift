import MurphyJudge
import MurphyModel

/// One limiter, as the probe measured it.
package struct ProbedLimit: Sendable, Codable, Hashable {
  /// The policy's name, or the operationId.
  package var name: String
  /// The called operation.
  package var operation: String
  /// The declared policy; nil for a black box.
  package var policy: LimitPolicy?
  /// What the probe measured.
  package var report: ProbeReport
  /// The proof of the sound rules from the probe's own log; nil without a declaration.
  package var row: LimitRow?
  /// The contradictions to the declaration, the worst first.
  package var findings: [Finding]
  package var verdict: Verdict
}

extension ProbedLimit {
  /// A limit that was not probed.
  init(_ choice: ProbeChoice, _ operation: String, unprobed reason: ProbeFact.Ending) {
    var report = ProbeReport(operation: operation, outcome: .unfinished)
    report.declared = choice.policy?.text
    report.say(.ended(reason))
    self.init(
      name: choice.name, operation: operation, policy: choice.policy, report: report, row: nil, findings: [],
      verdict: .noData)
  }

  package init(_ choice: ProbeChoice, _ outcome: ProbeSession.Log, _ judging: LimitJudgeOptions) {
    var report = outcome.report
    if let policy = choice.policy {
      if report.countsFailed == true, policy.counts.failed == .no { report.contradict(policy.text, .countsFailed) }
      if report.raceExcess ?? 0 > 0 { report.contradict(policy.text, .race) }
      if report.excessCause != nil { report.contradict(policy.text, .overAdmission(firstBurst: nil)) }
    }
    // A limiter may reject with a status that is not declared as its rejection.
    if report.facts.contains(where: { if case .unlimited = $0 { true } else { false } }),
      let (status, count) = outcome.responses.likelyRejection
    {
      report.say(.otherStatus(status, responses: count))
    }
    var findings = Self.findings(report, choice.policy, outcome.responses)
    var row: LimitRow?
    if let policy = choice.policy {
      var counting = policy
      // The malformed requests of the probe itself: it is known or not declared how they count.
      if report.countsFailed == nil { counting.counts.failed = .perhaps }
      var judging = judging
      if report.outcome == .identified, let window = report.window { judging.foundWindow = window.high }
      let judged = LimitJudge.judge(
        log: outcome.log.attributed(
          outcome.variants, by: report, under: policy.key, isAlone: choice.rivals.isEmpty), policies: [counting],
        beside: choice.rivals, options: judging)
      row = judged.rows.first
      if let contradiction = row?.verdict.contradiction {
        report.contradict(policy.text, contradiction)
      } else if let contradiction = report.contradiction {
        if !findings.contains(where: { Self.termKinds.contains($0.kind) }) {
          // No recorded request contradicts the terms.
          report.leaveOpen(policy.text)
        } else if let trials = row?.trials, row?.verdict == .consistent {
          // The probe's own proof uses more than the log of one key.
          row?.conclude(.contradictory, trials: trials)
          row?.sentence = contradiction.sentence
        }
      }
      // Findings of the judge already have their requests.
      let judgedKinds = Set(judged.findings.map(\.kind))
      findings = findings.filter { !judgedKinds.contains($0.kind) } + judged.findings
      if let cause = report.excessCause {
        for index in findings.indices where Self.excessKinds.contains(findings[index].kind) {
          findings[index].details.insert(cause, at: 0)
        }
      }
    }
    if !outcome.responses.wasServed {
      report.retract { _ in true }
      report.sayFirst(.notServed(statuses: outcome.responses.base.keys.sorted()))
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

extension ProbeFact {
  /// True if a part of the declared key could not be varied.
  fileprivate var isOpenKey: Bool {
    guard case .key(let key) = self, case .open(.noOther) = key.outcome else { return false }
    return true
  }
}

extension LimitRow.Verdict {
  /// The contradiction between the log of all requests and the policy; nil for none.
  var contradiction: ProbeFact.Contradiction? {
    switch self {
    case .overAdmission: .overAdmission(firstBurst: nil)
    case .overThrottling: .overThrottling
    case .contradictory: .together
    default: nil
    }
  }
}

extension ProbedLimit {
  /// The verdict of a probe. Pass if the declaration was confirmed (or, without one, the limiter identified). Fail if
  /// it was contradicted. No data if the probe could not decide.
  static func verdict(_ report: ProbeReport, _ policy: LimitPolicy?, _ row: LimitRow?, _ findings: [Finding]) -> Verdict
  {
    if findings.contains(where: { $0.severity == .error }) { return .fail }
    guard report.trials > 0 else { return .noData }
    guard policy != nil else { return report.outcome == .identified || report.outcome == .shaping ? .pass : .noData }
    return report.agreesWithDeclared == true ? .pass : .noData
  }

  /// The reason for the verdict, without the name: limits without a result often share it.
  package var reason: String {
    switch verdict {
    case .pass:
      (policy.map { "confirmed: \($0.text)" } ?? "identified: \(report.text ?? "requests are delayed")")
        + " (\(counted(report.trials, "trial")))"
    case .fail: findings.first { $0.severity == .error }?.message ?? "contradicted"
    case .noData, .invalid, .shard:
      (report.facts.first(where: \.leavesOpen) ?? report.facts.first(where: \.isOpenKey))?.sentence ?? row?.sentence
        ?? "The measurement did not finish."
    }
  }
}

extension ProbeReport {
  /// True if requests were sent late, or responses took so long that questions were repeated.
  package var wasLate: Bool { delays != nil }

  /// False if the API admitted and rejected no request.
  var wasServed: Bool { !facts.contains { if case .notServed = $0 { true } else { false } } }

  /// The delays if they were long enough to leave questions open.
  package var delays: ProbeFact.Delays? {
    facts.lazy.compactMap { if case .late(let delays) = $0 { delays } else { nil } }.first
  }
}

extension ProbedLimit {
  /// Findings of a probe that show that the real terms differ from the declared ones.
  private static let termKinds: Set<FindingKind> = [.limitTerms, .limitUnlimited]

  private static let excessKinds: Set<FindingKind> = [.limitTerms, .limitOverAdmission, .limitRace]

  /// The findings that the probe itself proves, in addition to those of the limit judge from the log.
  static func findings(_ report: ProbeReport, _ policy: LimitPolicy?, _ responses: ProbeResponses) -> [Finding] {
    var findings: [Finding] = []
    func add(_ kind: FindingKind, _ message: String, _ details: [String] = []) {
      findings.append(
        Finding(kind: kind, operation: report.operation, message: message, details: details, discriminator: kind.name))
    }
    for key in report.keys where key.bypasses {
      guard let kind = key.dimension.bypassKind else { continue }
      let name = key.dimension.rawValue
      add(
        kind, "a request with a spoofed \(name) is admitted after the quota is used up: clients can bypass the limiter",
        [
          "The probe sent the request from its own address. If the server trusts \(name) only from that address, only "
            + "clients at that address can bypass the limiter.",
          "Trust \(name) only from your own proxies, or count by a value that clients cannot choose.",
        ])
    }
    if let policy {
      for key in report.keyMistakes(policy, headers: report.deviceHeaders) where !key.bypasses {
        // A request from another address needs a new connection, which may lead to another counter.
        if key.dimension == .sourceAddress, report.replicas ?? 1 > 1 { continue }
        add(key.dimension.keyKind, mistake(key, policy.key, report))
      }
      if report.contradictsTerms, report.outcome == .identified, let found = report.text {
        add(.limitTerms, "declared: \(policy.text); measured: \(found)")
      }
      if let count = report.replicas, count > 1 {
        add(.limitOverAdmission, "\(count) separate counters admit \(count) times the declared limit \(policy.text)")
      }
      if report.outcome == .unlimited {
        let other = responses.likelyRejection.map { "; \($0.count) responses had status \($0.status)" } ?? ""
        add(
          .limitUnlimited,
          "declared: \(policy.text); none of \(report.requests) responses had the status of a rejection\(other)")
      }
      if report.countsRefused == true, policy.counts.refused == .no {
        add(.limitCountsRefused, "rejected requests use quota, but the declaration says that they do not")
      }
      if report.countsFailed == true, policy.counts.failed == .no {
        add(.limitCountsFailed, "malformed requests use quota, but the declaration says that failed requests do not")
      }
      if responses.unavailable >= ProbeResponses.fewest, !policy.refusals.contains(where: { $0.status == 503 }) {
        add(
          .limitWrongStatus,
          "rejections have status 503 (\(responses.unavailable) responses, none 429); clients expect 429 (RFC 6585 §4)")
      }
    }
    if let excess = report.raceExcess, excess > 0 {
      add(
        .limitRace, "concurrent requests exceeded the quota by \(counted(excess, "admission"))",
        ["The limiter may check and count in two separate steps, or each connection may have its own counter."])
    }
    return findings
  }

  private static func mistake(
    _ found: ProbeReport.KeyFinding, _ key: LimitKey, _ report: ProbeReport
  ) -> String {
    let name =
      report.facts.lazy.compactMap { fact -> String? in
        if case .key(let key) = fact, key.dimension == found.dimension.rawValue { key.name } else { nil }
      }.first ?? found.dimension.rawValue
    return found.separates == true
      ? "another \(name) is admitted after the quota is used up, but the declared key is \(key.text)"
      : "another \(name) is rejected after the quota is used up, but the declared key is \(key.text)"
  }
}

extension ProbeReport {
  /// The headers that were varied to distinguish devices.
  var deviceHeaders: [String] {
    facts.lazy.compactMap { fact -> [String]? in
      if case .key(let key) = fact, !key.headers.isEmpty { key.headers } else { nil }
    }.first ?? []
  }

  /// Why the limiter admits more than the declared quota, as a sentence; nil if it is unknown.
  fileprivate var excessCause: String? {
    facts.first { fact in
      switch fact {
      case .replicas, .lateSync, .oneCounter: true
      default: false
      }
    }?.sentence
  }

  /// True if the declared terms are proven to be wrong.
  package var contradictsTerms: Bool { contradiction != nil }

  /// The fact that proves it.
  package var contradiction: ProbeFact? {
    facts.first { fact in
      guard case .declared(_, .contradicted(let contradiction)) = fact else { return false }
      // These have findings of their own.
      return ![.countsFailed, .countsRefused, .race].contains(contradiction)
    }
  }

  /// The result, in a few words; nil if there is none.
  var text: String? {
    guard let best = candidates.first, let allowance, let window, let rate else { return nil }
    let terms =
      best.algorithm == LimitAlgorithm.tokenBucket.text
      ? "burst \(allowance.countText) at \(rate.text)/s" : "\(allowance.countText) per \(window.text) s"
    return "\(terms), \(best.algorithm)"
  }
}

/// One limit to probe: the operation to call, and its declaration.
package struct ProbeChoice: Sendable {
  /// The index of the operation in the contract.
  package var operation: Int
  /// Nil for a black box.
  package var policy: LimitPolicy?
  package var name: String
  /// True if the declared window is longer than the probe may wait.
  package var isWindowTooLong = false
  /// Other declared limits of the operation.
  package var rivals: [LimitPolicy] = []
  /// False if the limit, or another limit of the operation, counts costs or requests in flight.
  package var countsRequests = true

  package init(operation: Int, policy: LimitPolicy?, name: String) {
    self.operation = operation
    self.policy = policy
    self.name = name
  }

  /// A declared policy takes about one and a half windows; shorter waits cannot confirm it (docs/rate-limits.md §3.3).
  package static let windowsNeeded = 1.5
}

extension LimitProbe {
  /// The limits, with those marked that need a load.
  func marked(_ choices: [ProbeChoice], _ policies: [LimitPolicy]) -> [ProbeChoice] {
    choices.map { choice in
      var choice = choice
      let id = contract.operations[choice.operation].id
      choice.countsRequests =
        choice.policy?.isConcurrent != true && !policies.contains { $0.cost != nil && $0.covers(id) }
      return choice
    }
  }
}
