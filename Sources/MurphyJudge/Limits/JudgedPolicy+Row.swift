import MurphyModel

extension JudgedPolicy {
  /// - Parameters:
  ///   - evidence: the evidence of the traffic on the policy.
  ///   - strength: the other limits that its log fits; nil where that was not computed.
  ///   - quotas: the quotas that the log fits.
  func row(
    _ verdicts: [Verdict], findings: [Finding], evidence: LimitEvidence, strength: LimitStrength? = nil,
    quotas: LimitStrength.Range? = nil
  ) -> LimitRow {
    var row = LimitRow(
      name: policy.name, operations: policy.operations, policy: policy.text, declaredBy: policy.declaredBy,
      sentence: "", keys: keys.count, requests: 0, admitted: 0, refused: 0, unknown: 0,
      allowance: Double(policy.allowance), window: policy.window.inSeconds)
    for key in keys {
      row.requests += key.observations.count
      row.refused += key.refusals
      for index in key.observations {
        let observation = log.observations[index]
        if observation.answered == nil || observation.status == 0 { row.unknown += 1 }
      }
    }
    row.admitted = row.requests - row.refused - row.unknown
    row.strength = strength
    var tests = tests(verdicts, evidence: evidence)
    if let strength, evidence.reachedKeys > 0, let windows = windows(strength.windows),
      let renewed = tests.firstIndex(where: { $0.test == .renewed && $0.outcome == .notTested })
    {
      tests[renewed].sentence += "; \(windows)"
    }
    if let reason = loose(quotas) ?? unbounded(strength),
      let held = tests.firstIndex(where: { $0.test == .held && $0.outcome == .kept })
    {
      (tests[held].outcome, tests[held].sentence) = (.notTested, reason)
    }
    if options.measuresStrength, verdicts.isEmpty { tests += claims(strength) }
    row.tests = tests
    if let worst = verdicts.first, worst.proof.tick >= gate {
      row.conclude(worst.proof.kind.verdict, trials: max(evidence.trials, worst.proof.witness.count))
      row.sentence = sentence(worst)
      row.tick = worst.proof.tick
      row.refutes = refutation(worst)
      row.witness = witness(worst)
    } else if let doubtful = verdicts.first {
      row.conclude(.inconclusive, trials: evidence.trials)
      row.tick = doubtful.proof.tick
      row.sentence =
        "No data: " + sentence(doubtful)
        + " This proof is valid only for a server clock resolution of up to \(text(doubtful.proof.tick)), but a "
        + "limiter with this window may use \(text(gate)). Set the resolution with `tick:` in the policy."
    } else {
      let open = tests.filter { $0.outcome == .notTested }
      // An acceptance excuses an untested part, but a policy does not pass if nothing was tested.
      let isKept = !open.contains(where: \.required) && tests.contains { $0.outcome == .kept && $0.test.isSeen }
      row.conclude(isKept ? .consistent : .inconclusive, trials: evidence.trials)
      // A row without a verdict names the missing data that were required.
      let reported = isKept ? tests : tests.filter { $0.test.isSeen || $0.required }
      row.sentence = reported.text + acceptance(open) + unkeyedNote + keyNote
    }
    row.findings = findings.map(\.fingerprint)
    row.strips = strips(verdicts)
    return row
  }

  /// `any window from 2.5s to 6.9s matches`; nil where the log excludes no window.
  private func windows(_ range: LimitStrength.Range) -> String? {
    guard range.low > 0 || range.high != nil else { return nil }
    func rounded(_ seconds: Double) -> String { text((seconds * 100).rounded() / 100) }
    guard let high = range.high else { return "any window of \(rounded(range.low)) or longer matches" }
    return "any window " + (range.low > 0 ? "from \(rounded(range.low)) to" : "up to") + " \(rounded(high)) matches"
  }

  /// The quotas that the log of a limit with costs fits; nil for another limit. The small requests that show the rest of
  /// a quota come last, so that a part of the log is not enough.
  func quotas() -> LimitStrength.Range? {
    policy.cost == nil ? nil : LimitFit(self, keys: ReplayedKeys(self, isWhole: true)).allowances()
  }

  /// The reason why the log does not determine the quota of a limit with costs: a request of cost c is rejected at each
  /// of c quotas.
  private func loose(_ quotas: LimitStrength.Range?) -> String? {
    guard policy.cost != nil, let quotas else { return nil }
    let declared = Double(policy.allowance)
    let high = quotas.high ?? .infinity
    guard quotas.low < declared * (1 - Self.sharpestQuota) || high > declared * (1 + Self.sharpestQuota) else {
      return nil
    }
    let low = Int(quotas.low).text
    let range = quotas.high.map { "from \(low) to \(Int($0).text)" } ?? "of \(low) or more"
    return "any quota \(range) matches: after the quota is used up, send requests of low cost"
  }
  /// The part of a quota that the log of a limit with costs must distinguish.
  private static let sharpestQuota = 0.02

  /// The reason why the log gives no upper bound on admissions: in no possible run of this traffic, a server without
  /// the limit contradicts the policy.
  private func unbounded(_ strength: LimitStrength?) -> String? {
    guard let strength, strength.exposures(.not).contains(.noLimiter) else { return nil }
    return "this traffic cannot distinguish the policy from a server that admits every request"
      + ((policy.tick ?? options.tick) == nil && gate > LimitProof.ticks[0]
        ? " and has a clock resolution of \(text(gate)): set `tick:` in the policy" : "")
  }

  /// The parts that the scenario accepts as untested.
  private func acceptance(_ open: [LimitTest]) -> String {
    guard let tested = policy.tested, open.contains(where: \.test.isSeen), !open.contains(where: \.required) else {
      return ""
    }
    return " The scenario accepts these untested parts: `tested: [\(tested.map(\.rawValue).joined(separator: ", "))]`."
  }

  /// The consequences of a key that was not declared.
  private var keyNote: String {
    guard tellsClientsApart else { return "" }
    let exceeds = together.contains { key in
      LimitProof.find(in: key.trace, policy: policy, drift: drift, phase: phase).map {
        $0.kind == .overAdmission && $0.tick >= gate
      } ?? false
    }
    return " The \(policy.declaredBy.rawValue) does not declare the key"
      + (exceeds
        ? ", and the quota is not per address: all clients of one address together exceeded the quota"
        : "")
      + ". Declare `key` to check the limit for each client."
  }

  private var unkeyedNote: String {
    unkeyed == 0
      ? "" : " \(counted(unkeyed, "request")) without \(policy.key.text) \(unkeyed == 1 ? "was" : "were") not checked."
  }

  /// One finding for each kind of violation, for all keys together.
  func findings(_ verdicts: [Verdict]) -> [Finding] {
    let firm = verdicts.filter { $0.proof.tick >= gate }
    return [LimitProof.Violation.overAdmission, .overThrottling, .contradictory].compactMap { kind in
      let same = firm.filter { $0.proof.kind == kind }
      guard let worst = same.first else { return nil }
      let moments = same.flatMap { requests(of: $0).map(\.sent) }
      var details = [refutation(worst)].compactMap(\.self)
      details += witnessLines(worst)
      if !worst.proof.isComplete {
        details.append("Murphy assumes that a window may begin with any other request of the key.")
      }
      if kind == .overAdmission { details += ReplicaCourse(keys.map(\.trace), policy).sentences { moment($0) } }
      if worst.proof.isFresh, keys[worst.key].isIssued { details.append(CredentialKeys.explanation) }
      if same.count > 1 { details.append("\(same.count) of \(keys.count) keys show this violation.") }
      let only = policy.operations.count == 1 ? policy.operations[0] : nil
      return Finding(
        kind: kind.verdict.finding ?? .limitContradictory, operation: only,
        message: (only == policy.name ? "" : policy.name + " ") + sentence(worst),
        details: details, count: same.count, firstSeen: .saturating(seconds: moments.min() ?? 0),
        lastSeen: .saturating(seconds: moments.max() ?? 0),
        discriminator: policy.name + " " + policy.notation, evidence: Evidence(curl: curl(worst)))
    }
  }

  func witness(_ verdict: Verdict) -> [WitnessRequest] { requests(of: verdict).map(log.witness) }

  /// The violating keys and the busiest ones.
  func strips(_ verdicts: [Verdict], most: Int = 4) -> [KeyStrip] {
    var shown = Array(verdicts.prefix(most - 1).map(\.key))
    for index in keys.indices where shown.count < most && !shown.contains(index) { shown.append(index) }
    return shown.map { key in
      keys[key].strip(
        policy: policy, witness: verdicts.first { $0.key == key }?.proof.witness ?? [])
    }
  }
}

extension LimitProof.Violation {
  var verdict: LimitRow.Verdict {
    switch self {
    case .overAdmission: .overAdmission
    case .overThrottling: .overThrottling
    case .contradictory: .contradictory
    }
  }
}

extension LimitTrace.Request {
  var decision: LimitDecision {
    switch role {
    case .certain, .starter: .admitted
    case .possible: .unknown
    case .refused: .refused
    }
  }
}

extension LimitLog {
  /// The request as a part of the evidence.
  func witness(_ request: LimitTrace.Request) -> WitnessRequest {
    let observation = observations[request.id]
    return WitnessRequest(
      operation: operations[Int(observation.operation)], sent: request.sent,
      answered: observation.answered.map { Double($0 - start) * 1e-9 }, decision: request.decision,
      status: Int(observation.status))
  }
}
