import MurphyModel

/// What the traffic has shown of one policy: that nothing contradicts it is not enough to call it kept, since a server
/// without a limiter is not contradicted by clients that never ask too much.
///
/// A refusal is evidence for a policy only if no other documented policy explains it as well.
struct LimitEvidence {
  /// Refusals that this policy alone explains.
  private(set) var refusals = 0
  /// Refusals that another policy may have made, or that this one cannot explain.
  private(set) var foreignRefusals = 0
  /// Keys with such a refusal.
  private(set) var reachedKeys = 0
  /// Of those, keys that were admitted L times within one window before a refusal.
  private(set) var heldKeys = 0
  /// Of those that were reached, keys that were admitted again later.
  private(set) var renewedKeys = 0
  /// The most admissions of one key within any one window.
  private(set) var mostAdmitted = 0

  /// - Parameter isOurs: whether a refusal, by its observation, can only be this policy's.
  init(_ keys: [KeyedTrace], policy: LimitPolicy, isOurs: (Int) -> Bool) {
    let window = policy.window.inSeconds
    for key in keys {
      let trace = key.trace
      mostAdmitted = max(mostAdmitted, Self.most(trace.certainSent, within: window))
      var earliest: Double?
      var isHeld = false
      for j in trace.refused {
        let refusal = trace.requests[j]
        guard isOurs(refusal.id) else {
          foreignRefusals += 1
          continue
        }
        refusals += 1
        earliest = min(earliest ?? .infinity, refusal.settled)
        let admitted =
          trace.certainSent.count(upTo: refusal.settled) - trace.certainSent.count(below: refusal.settled - window)
        isHeld = isHeld || admitted >= policy.allowance
      }
      guard let earliest else { continue }
      reachedKeys += 1
      heldKeys += isHeld ? 1 : 0
      renewedKeys += trace.certainSent.last ?? -.infinity > earliest ? 1 : 0
    }
  }

  /// The most of these ascending moments that lie within one span.
  private static func most(_ moments: [Double], within span: Double) -> Int {
    var most = 0
    var first = 0
    for index in moments.indices {
      while moments[index] - moments[first] >= span { first += 1 }
      most = max(most, index - first + 1)
    }
    return most
  }
}

extension JudgedPolicy {
  /// Reached, held, renewed: each with what was seen or what is missing.
  ///
  /// - Parameter verdicts: what was proven; a firm proof breaks the test that it belongs to, a doubtful one leaves it
  ///   untested.
  func tests(_ verdicts: [Verdict], evidence: LimitEvidence) -> [LimitTest] {
    LimitTest.Name.allCases.map { name in
      let against = verdicts.filter { $0.proof.kind.test == name }
      let required = policy.requires(name.aspect)
      if against.contains(where: { $0.proof.tick >= gate }) {
        return LimitTest(test: name, outcome: .broken, sentence: breach(name), required: required)
      }
      if !against.isEmpty {
        return LimitTest(
          test: name, outcome: .notTested, sentence: "contradicted, unless the server's clock is coarse", required: true
        )
      }
      let seen = seen(name, evidence)
      return LimitTest(
        test: name, outcome: seen == nil ? .notTested : .kept, sentence: seen ?? missing(name, evidence),
        required: required)
    }
  }

  private func breach(_ name: LimitTest.Name) -> String {
    switch name {
    case .reached: "more was admitted than the policy allows"
    case .held: "requests were refused that the policy allows"
    case .renewed: "what was admitted and what was refused do not fit the window"
    }
  }

  private func seen(_ name: LimitTest.Name, _ evidence: LimitEvidence) -> String? {
    switch name {
    case .reached:
      guard evidence.reachedKeys > 0 else { return nil }
      let seen = "\(counted(evidence.refusals, "refusal")) on \(counted(evidence.reachedKeys, "key"))"
      return isShared ? seen + " that only this policy explains" : seen
    case .held:
      guard evidence.heldKeys > 0 else { return nil }
      return
        "\(counted(evidence.heldKeys, "refused key")) had been admitted \(counted(policy.allowance, "time")) within \(policy.windowText)"
    case .renewed:
      guard evidence.renewedKeys > 0 else { return nil }
      return
        "\(counted(evidence.renewedKeys, "refused key")) \(evidence.renewedKeys == 1 ? "was" : "were") admitted again later"
    }
  }

  private func missing(_ name: LimitTest.Name, _ evidence: LimitEvidence) -> String {
    if keys.isEmpty { return "no request counted towards it" }
    let isReached = evidence.reachedKeys > 0
    switch name {
    case .reached where evidence.foreignRefusals > 0:
      return "another policy explains all \(counted(evidence.foreignRefusals, "refusal")) as well"
    case .reached:
      return
        "nothing was refused; the busiest key was admitted \(counted(evidence.mostAdmitted, "time")) within \(policy.windowText), and \(policy.allowance) are allowed"
    case .held where isReached:
      return
        "no refused key was seen to be admitted \(counted(policy.allowance, "time")) within \(policy.windowText) before; it may have been used before this run"
    case .renewed where isReached: return "no refused key was admitted again: the window's length was not tested"
    case .held, .renewed: return isShared ? "no key was refused by this policy alone" : "no key was refused"
    }
  }

  func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension LimitProof.Kind {
  /// The test that such a proof breaks.
  var test: LimitTest.Name {
    switch self {
    case .overAdmission: .reached
    case .overThrottling: .held
    case .contradictory: .renewed
    }
  }
}

extension [LimitTest] {
  /// `Kept: reached, held. Not tested: renewed (no refused key was admitted again).`
  var text: String {
    // Without a refusal the first sentence says it all.
    if let first, allSatisfy({ $0.outcome == .notTested }) { return "Not tested: \(first.sentence)." }
    func list(_ outcome: LimitTest.Outcome, _ label: String) -> String? {
      let some = filter { $0.outcome == outcome }
      guard !some.isEmpty else { return nil }
      return "\(label): " + some.map { "\($0.test.rawValue) (\($0.sentence))" }.joined(separator: ", ") + "."
    }
    return [list(.broken, "Broken"), list(.kept, "Kept"), list(.notTested, "Not tested")].compactMap(\.self)
      .joined(separator: " ")
  }
}
