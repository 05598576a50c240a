import MurphyModel

/// The evidence of the traffic on one policy. A policy without a contradiction has not yet passed: a server without a
/// limiter is not contradicted either by clients that send few requests.
///
/// A rejection is evidence for a policy only if no other documented policy explains it as well.
struct LimitEvidence {
  /// Rejections that this policy alone explains.
  private(set) var refusals = 0
  /// Rejections that another policy may have made, or that this one cannot explain.
  private(set) var foreignRefusals = 0
  /// Rejections of a key without any admission in this run within a window before. The requests that used up the
  /// allowance are not in the log, or had another key.
  private(set) var unpromptedRefusals = 0
  /// Those of them with earlier admissions of other keys.
  private(set) var crowdedRefusals = 0
  /// Rejections before which the key sent only requests that may or may not count.
  private(set) var doubtfulRefusals = 0
  /// Keys with a rejection by this policy.
  private(set) var reachedKeys = 0
  /// Those of them that were admitted L times within one window before a rejection, or that emptied a token bucket.
  /// With costs, those that had used so much that the request of the rejection exceeds the quota.
  private(set) var heldKeys = 0
  /// What each of these keys had used before such a rejection, at least, and at most the quota.
  private(set) var leastHeld = 0
  /// Those of the reached keys that were admitted again about a window after the requests that used up their allowance.
  private(set) var renewedKeys = 0
  /// The shortest time, in seconds, from the first of the admissions that used up an allowance to the next one after a
  /// rejection: no window with an observed end is longer.
  private(set) var shortestRenewal: Double?
  /// The most admissions of one key within any one window.
  private(set) var mostAdmitted = 0

  /// All rejections of the keys, including those that the traces leave out.
  let rejections: Int
  /// Admissions beyond the allowance that only unobserved windows would excuse; nil when there are none.
  let unexcused: WindowEdges?

  /// Requests without the key, whose rejections are not judged.
  var unkeyed = 0
  /// Other limits that may have rejected instead of this one.
  var rivals = LimitRivals()

  /// Samples that could have revealed a wrong limiter: requests that a larger quota, or none, would have admitted; keys
  /// that a smaller quota would have rejected earlier; and keys that a longer window would have rejected.
  var trials: Int { refusals + heldKeys + renewedKeys }

  /// True if its counting was observed: it may then explain rejections that another limit does not.
  var isVerified: Bool { heldKeys > 0 && unexcused == nil }

  /// - Parameters:
  ///   - edges: the edges of the keys' windows.
  ///   - isOurs: true if a rejection, by its observation, can only belong to this policy.
  init(_ keys: [KeyedTrace], policy: LimitPolicy, edges: WindowEdges, isOurs: (Int) -> Bool) {
    unexcused = edges.excuse(policy.algorithm) ? nil : edges
    rejections = keys.reduce(0) { $0 + $1.refusals }
    let window = policy.window.inSeconds
    let unit = keys.first?.trace.unit ?? 1
    let everybody = keys.flatMap(\.trace.certainSent).sorted()
    func within(_ sent: [Double], _ moment: Double) -> Int {
      sent.count(upTo: moment) - sent.count(below: moment - window)
    }
    for key in keys {
      let trace = key.trace
      let doubtful = trace.doubtful.map { trace.requests[$0] }.filter { $0.role != .refused }.map(\.sent)
      mostAdmitted = max(mostAdmitted, trace.mostAdmitted(within: window))
      var earliest: Double?
      var held: Int?
      var ours: [LimitTrace.Request] = []
      let bucket = BucketUse(trace, policy)
      for j in trace.refused {
        let refusal = trace.requests[j]
        guard isOurs(refusal.id) else {
          foreignRefusals += 1
          continue
        }
        let admitted = within(trace.certainSent, refusal.settled)
        guard admitted > 0 else {
          if within(doubtful, refusal.settled) > 0 {
            doubtfulRefusals += 1
          } else {
            unpromptedRefusals += 1
            if within(everybody, refusal.settled) > 0 { crowdedRefusals += 1 }
          }
          continue
        }
        refusals += 1
        ours.append(refusal)
        earliest = min(earliest ?? .infinity, refusal.settled)
        // A request that costs more than the quota is rejected without any other.
        if refusal.cost <= policy.allowance, admitted >= trace.needed(for: refusal, of: policy.allowance),
          bucket?.isEmpty(at: refusal) ?? true
        {
          held = max(held ?? 0, min(admitted * unit, policy.allowance))
        }
      }
      guard let earliest else { continue }
      reachedKeys += 1
      if let held { (heldKeys, leastHeld) = (heldKeys + 1, heldKeys == 0 ? held : min(leastHeld, held)) }
      var later = LaterAdmissions(trace)
      let renewal = Self.renewal(of: trace, after: ours, policy, &later)
      if let renewal { shortestRenewal = min(shortestRenewal ?? .infinity, renewal) }
      let isInTime = renewal.map { Self.showsWindow($0, of: policy) } ?? true
      renewedKeys += isInTime && isRenewed(trace, after: earliest, ours, policy, &later) ? 1 : 0
    }
  }

  /// True if a rejected key was admitted again. If admissions exceed the allowance without an excuse, another counter
  /// may have admitted the rest. Then only an admission with remaining allowance in the window before it counts.
  private func isRenewed(
    _ trace: LimitTrace, after refusal: Double, _ refusals: [LimitTrace.Request], _ policy: LimitPolicy,
    _ later: inout LaterAdmissions
  ) -> Bool {
    guard unexcused != nil else {
      return refusals.contains { later.first(from: $0.settled, after: $0) != nil }
    }
    let window = policy.window.inSeconds
    return trace.certainSent.suffix(trace.certainSent.count - trace.certainSent.count(upTo: refusal)).contains { sent in
      trace.certainSettled.count(below: sent) - trace.certainSent.count(below: sent - window) < policy.allowance
        / trace.unit
    }
  }

  /// True if a renewal after this time shows the length of the window. A quarter more is the tolerance for
  /// clients that come back late. Nearly a second is the tolerance for those that wait for a correct Retry-After, which
  /// counts whole seconds (RFC 9110 §10.2.3). A window that is a second longer can still be distinguished.
  static func showsWindow(_ renewal: Double, of policy: LimitPolicy) -> Bool {
    let window = policy.window.inSeconds
    return renewal <= max(window * 1.25, window + 0.95)
  }

  /// The shortest time from the first of L admissions before a rejection to the next admission; nil when none of the
  /// rejections has L admissions before it and one after it.
  private static func renewal(
    of trace: LimitTrace, after refusals: [LimitTrace.Request], _ policy: LimitPolicy, _ later: inout LaterAdmissions
  ) -> Double? {
    refusals.compactMap { refusal -> Double? in
      let used = trace.needed(for: refusal, of: policy.allowance)
      guard let admission = later.first(from: refusal.settled, after: refusal) else { return nil }
      let next = trace.certainSent.count(upTo: refusal.settled)
      return used > 0 && next >= used ? admission.sent - trace.certainSent[next - used] : nil
    }.min()
  }
}

extension JudgedPolicy {
  /// Reached, held, renewed: each with the observations or the missing data.
  ///
  /// - Parameter verdicts: the proven violations. A firm proof fails its test; a doubtful one leaves it untested.
  func tests(_ verdicts: [Verdict], evidence: LimitEvidence) -> [LimitTest] {
    LimitTest.Name.allCases.filter(\.isSeen).map { name in
      let against = verdicts.filter { $0.proof.kind.test == name }
      let required = policy.requires(name.aspect)
      if against.contains(where: { $0.proof.tick >= gate }) {
        return LimitTest(test: name, outcome: .broken, sentence: breach(name), required: required)
      }
      if !against.isEmpty {
        return LimitTest(
          test: name, outcome: .notTested,
          sentence: "the responses contradict the policy, unless the server's clock resolution is coarse",
          required: true
        )
      }
      if name == .held, evidence.rivals.unverified > 0 {
        return LimitTest(test: name, outcome: .notTested, sentence: excuse(evidence.rivals), required: true)
      }
      if name == .reached, let edges = evidence.unexcused {
        return LimitTest(
          test: name, outcome: .notTested, sentence: excess(edges), required: true)
      }
      let seen = log.leftOut > 0 ? nil : seen(name, evidence)
      return LimitTest(
        test: name, outcome: seen == nil ? .notTested : .kept, sentence: seen ?? missing(name, evidence),
        required: required)
    }
  }

  /// Rejections that this limit does not explain, and the limits that this run did not verify.
  private func excuse(_ rivals: LimitRivals) -> String {
    let names = rivals.suspects.joined(separator: " and ")
    return
      "\(counted(rivals.unverified, "rejection")) \(rivals.unverified == 1 ? "fits" : "fit") only \(names), but this "
      + "run did not verify that limit: no key used its whole quota before a rejection"
  }

  /// Keys that were admitted more often than the allowance, and the only possible excuse.
  private func excess(_ edges: WindowEdges) -> String {
    let isAligned = policy.algorithm == .fixedAligned
    let count = isAligned ? edges.exceedingKeys : edges.keysWithAPast
    let subject =
      "\(count) of \(counted(keys.count, "key")) \(count == 1 ? "was" : "were") admitted more than "
      + "\(policy.amount(policy.allowance)) within \(policy.window.text)"
    if isAligned {
      return subject + ". No common end of the keys' windows explains this, but a limiter with several counters does"
    }
    return subject
      + ". The policy allows this only for keys whose window began before this run. A limiter with several counters "
      + "has the same effect. To exclude this, use new keys (`uuid()`), or send the first request of each key more "
      + "than \(policy.window.text) after the start of the run"
  }

  private func breach(_ name: LimitTest.Name) -> String {
    switch name {
    case .reached: "more requests were admitted than the policy allows"
    case .held: "requests were rejected that the policy allows"
    default: "observed admissions and rejections do not match the policy"
    }
  }

  private func seen(_ name: LimitTest.Name, _ evidence: LimitEvidence) -> String? {
    switch name {
    case .reached:
      guard evidence.reachedKeys > 0 else { return nil }
      let seen = "\(counted(evidence.refusals, "rejection")) on \(counted(evidence.reachedKeys, "key"))"
      return isShared ? seen + " that only this policy explains" : seen
    case .held:
      guard evidence.heldKeys > 0 else { return nil }
      return
        "\(counted(evidence.heldKeys, "rejected key")) had been admitted \(policy.amount(evidence.leastHeld))"
        + (policy.cost == nil ? "" : " or more") + " within \(policy.window.text)"
    case .renewed:
      guard evidence.renewedKeys > 0 else { return nil }
      return
        "\(counted(evidence.renewedKeys, "rejected key")) \(evidence.renewedKeys == 1 ? "was" : "were") admitted again later"
    default: return nil
    }
  }

  private func missing(_ name: LimitTest.Name, _ evidence: LimitEvidence) -> String {
    if log.leftOut > 0 {
      return
        "\(counted(log.leftOut, "request")) of the run \(log.leftOut == 1 ? "is" : "are") not in the limit log, which "
        + "keeps only the first \(log.observations.count). Shorten the run, or set `tested: []` to check only for "
        + "violations of the limit"
    }
    if keys.isEmpty { return "no request counted towards this limit" }
    if wholeKeys.isEmpty {
      return log.isIncomplete
        ? "the missing shards may have sent requests with the same keys"
        : log.clockWidth > 0
          ? "the machines' clocks are known only to within \(text(Double(log.clockWidth) / 1e9)), which is too "
            + "inaccurate for this window"
          : "the run used several machines, and it is unknown which client addresses the limiter sees"
    }
    let isReached = evidence.reachedKeys > 0
    switch name {
    case .reached where evidence.unpromptedRefusals > 0 && evidence.foreignRefusals == 0:
      return unprompted(evidence)
    case .reached where evidence.doubtfulRefusals > 0 && evidence.foreignRefusals == 0:
      return
        "\(counted(evidence.doubtfulRefusals, "rejection")) followed requests that may or may not count: "
        + "they failed, had no response, or violated the contract"
    case .reached where evidence.foreignRefusals > 0: return foreign(evidence)
    case .reached where evidence.rejections > 0:
      return
        "no rejection could be checked: each request was rejected while a failed request was in flight, and a failed "
        + "request returns its quota"
    case .reached:
      return
        "\(evidence.unkeyed > 0 ? "no request with a key" : "no request") was rejected; the busiest key was admitted "
        + "\(policy.amount(evidence.mostAdmitted)) within \(policy.window.text), "
        + (evidence.mostAdmitted > policy.allowance ? excused : "and \(policy.allowance) are allowed")
    case .held where isReached && policy.cost != nil:
      return
        "no rejection confirms the quota: the rejected request alone cost more than \(policy.allowance.text), or the "
        + "requests admitted in the \(policy.window.text) before it left enough quota. The key may have been used "
        + "before this run"
    case .held where isReached:
      return
        "no rejected key was admitted \(policy.amount(policy.allowance)) in the \(policy.window.text) before the "
        + "rejection. The keys may have been used before this run"
    case .renewed where isReached && evidence.unexcused != nil:
      return "another counter may have admitted the requests after a rejection"
    case .renewed where isReached:
      if let shortest = evidence.shortestRenewal, !LimitEvidence.showsWindow(shortest, of: policy) {
        let least = text((shortest * 100).rounded() / 100)
        return
          "rejected keys were admitted again, but none within \(least) after the first request that used up the quota: a window of up to \(least) also matches"
      }
      return "no rejected key was admitted again: the window's length was not tested"
    default: return "no rejection is known to be caused by this limit"
    }
  }

  /// The possible explanation of a key that was admitted more often than the quota within one window's length.
  private var excused: String {
    policy.algorithm == .tokenBucket
      ? "which the burst of \(policy.allowance) and the tokens returned in that time allow"
      : "more than \(policy.allowance): the end of a window in that time, or a coarse server clock, explains it"
  }

  /// Rejections that other declared limits explain.
  private func foreign(_ evidence: LimitEvidence) -> String {
    let rivals = evidence.rivals
    guard rivals.shared == evidence.foreignRefusals else {
      return "each rejection may have another cause, because the server's clock resolution is unknown, or because "
        + "rejected requests may use quota"
    }
    return
      "\(rivals.sharing.joined(separator: " and ")) \(rivals.sharing.count > 1 ? "explain" : "explains") "
      + (rivals.shared == 1 ? "the only rejection" : "all \(rivals.shared) rejections") + " as well"
  }

  /// Rejections of keys that had used up nothing.
  private func unprompted(_ evidence: LimitEvidence) -> String {
    let subject =
      "for \(counted(evidence.unpromptedRefusals, "rejection")), this run had admitted no request of the same key in "
      + "the \(policy.window.text) before"
    guard evidence.crowdedRefusals > 0 else {
      return subject + ": requests from outside this run may have used up the quota"
    }
    return subject + ", but had admitted requests of other keys: the limiter may count by another key than "
      + policy.key.text
  }
}
