import MurphyModel

extension JudgedPolicy {
  func row(_ verdicts: [Verdict]) -> LimitRow {
    var row = LimitRow(
      name: policy.name, operations: policy.operations, policy: policy.text, declaredBy: policy.declaredBy.rawValue,
      verdict: .consistent, sentence: "", keys: keys.count, requests: 0, admitted: 0, refused: 0, unknown: 0,
      allowance: Double(policy.allowance), window: policy.window.inSeconds)
    for key in keys {
      row.requests += key.observations.count
      row.refused += key.trace.refused.count
      for index in key.observations {
        let observation = log.observations[index]
        if observation.answered == nil || observation.status == 0 { row.unknown += 1 }
      }
    }
    row.admitted = row.requests - row.refused - row.unknown
    if let worst = verdicts.first, worst.proof.tick >= gate {
      row.verdict = worst.proof.kind.verdict
      row.sentence = sentence(worst)
      row.tick = worst.proof.tick
      row.refutes = refutation(worst)
      row.witness = witness(worst)
    } else if let doubtful = verdicts.first {
      row.verdict = .inconclusive
      row.tick = doubtful.proof.tick
      row.sentence =
        sentence(doubtful)
        + " This holds for a server clock that steps by \(text(doubtful.proof.tick)) at most, and a limiter with "
        + "this window may have one that steps by \(text(gate)): say `tick:` in the policy to decide it."
    } else if wasTested {
      row.sentence = consistency
    } else {
      row.verdict = .inconclusive
      row.sentence =
        keys.isEmpty
        ? "No request counted towards it\(unkeyedNote)."
        : "Nothing was refused and no key was admitted more than \(policy.allowance) times within \(policy.windowText): the traffic never tested it\(unkeyedNote)."
    }
    row.strips = strips(verdicts)
    return row
  }

  private var consistency: String {
    let refused = keys.reduce(0) { $0 + $1.trace.refused.count }
    let admitted = keys.reduce(0) { $0 + $1.trace.certainSent.count }
    return
      "\(admitted) admissions and \(refused) refusals on \(keys.count) \(keys.count == 1 ? "key" : "keys") contradict nothing that it promises\(unkeyedNote)."
  }

  private var unkeyedNote: String {
    unkeyed == 0 ? "" : "; \(unkeyed) requests without \(policy.key.text) were not judged"
  }

  /// One finding for each kind of violation, for all keys together.
  func findings(_ verdicts: [Verdict]) -> [Finding] {
    let firm = verdicts.filter { $0.proof.tick >= gate }
    return [LimitProof.Kind.overAdmission, .overThrottling, .contradictory].compactMap { kind in
      let same = firm.filter { $0.proof.kind == kind }
      guard let worst = same.first else { return nil }
      let moments = same.flatMap { verdict in
        verdict.proof.witness.map { keys[verdict.key].trace.requests[$0].sent }
      }
      var details = [refutation(worst)].compactMap(\.self)
      details += witnessLines(worst)
      if same.count > 1 { details.append("\(same.count) of \(keys.count) keys show it.") }
      return Finding(
        kind: "limit." + kind.verdict.rawValue, severity: .error,
        operation: policy.operations.count == 1 ? policy.operations[0] : nil, message: sentence(worst),
        details: details, count: same.count, firstSeen: moments.min() ?? 0, lastSeen: moments.max() ?? 0,
        discriminator: policy.name + " " + policy.text, evidence: Evidence(curl: curl(worst)))
    }
  }

  func witness(_ verdict: Verdict) -> [WitnessRequest] {
    let trace = keys[verdict.key].trace
    return verdict.proof.witness.map { index in
      let request = trace.requests[index]
      let observation = log.observations[request.id]
      return WitnessRequest(
        operation: log.operations[Int(observation.operation)], sent: request.sent,
        answered: observation.answered.map { Double($0 - log.start) * 1e-9 }, decision: request.decision,
        status: Int(observation.status))
    }
  }

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

extension LimitProof.Kind {
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
    case .certain: .admitted
    case .possible: .unknown
    case .refused: .refused
    }
  }
}
