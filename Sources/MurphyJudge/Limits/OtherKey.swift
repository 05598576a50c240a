import MurphyModel

/// A coarser or finer key that explains all observations of a policy whose declared key does not.
///
/// A limiter that counts by another key has many symptoms: rejections below the allowance, impossible values of
/// `remaining`, and waits that are too long. All of them have one cause, so they are one finding.
struct OtherKey {
  /// The policy, judged by the other key.
  let judged: JudgedPolicy
  let finding: Finding
  let verdict: LimitRow.Verdict
  /// The wrong statements of the responses by the other key.
  let honesty: [Finding]

  /// Nil unless the declared key is refuted and another one explains the whole log of all keys together.
  ///
  /// - Parameters:
  ///   - verdicts: the proven violations of the declared key.
  ///   - findings: the wrong statements of the responses by the declared key.
  ///   - honesty: their wrong statements by another key.
  init?(
    _ declared: JudgedPolicy, _ verdicts: [JudgedPolicy.Verdict], _ findings: [Finding],
    honesty: (JudgedPolicy) -> [Finding]
  ) {
    let log = declared.log
    guard !declared.isShared, !declared.policy.keyIsAssumed, log.leftOut == 0, !log.isIncomplete, !log.spansMachines
    else { return nil }
    let firm = verdicts.filter { $0.proof.tick >= declared.gate }
    // By a coarser key even more would have been admitted, by a finer one even less rejected.
    let isFiner = firm.contains { $0.proof.kind == .overAdmission }
    guard
      isFiner
        ? firm.allSatisfy({ $0.proof.kind == .overAdmission })
        : verdicts.allSatisfy({ $0.proof.kind != .overAdmission })
    else { return nil }
    let saysTooMuch = findings.contains { $0.kind.isAboutRemaining }
    // One key that is rejected too early may have a smaller quota. Several, or one without earlier requests, show that
    // others were counted.
    let showsOthers =
      isFiner || firm.count > 1 || firm.contains { $0.proof.kind == .overThrottling && $0.proof.witness.count == 1 }
    guard showsOthers || (saysTooMuch && firm.isEmpty), !Self.isOtherQuota(declared, firm) else { return nil }
    for key in isFiner ? declared.policy.key.finer(in: log) : declared.policy.key.coarser {
      var policy = declared.policy
      policy.key = key
      let judged = JudgedPolicy(policy, log: log, shared: false, options: declared.options)
      guard isFiner ? judged.keys.count > declared.keys.count : judged.keys.count < declared.keys.count,
        judged.unkeyed == declared.unkeyed, judged.proofs(inexplicable: nil).isEmpty
      else { continue }
      let evidence = LimitEvidence(judged.wholeKeys, policy: policy, edges: judged.edges()) { _ in true }
      guard evidence.heldKeys > 0, evidence.foreignRefusals + evidence.unpromptedRefusals == 0,
        evidence.unexcused == nil
      else { continue }
      let said = honesty(judged)
      guard !said.contains(where: { $0.kind.isAboutRemaining }) else { continue }
      self.init(declared, firm, judged, evidence, said)
      return
    }
    return nil
  }

  /// True if another quota by the declared key also explains the observations: the one next to those refuted.
  private static func isOtherQuota(_ declared: JudgedPolicy, _ firm: [JudgedPolicy.Verdict]) -> Bool {
    let refuted = firm.compactMap(\.proof.refutedAllowance)
    let isTooLow = firm.first?.proof.kind == .overAdmission
    guard let next = isTooLow ? refuted.max().map({ $0 + 1 }) : refuted.min().map({ $0 - 1 }), next > 0 else {
      return false
    }
    var policy = declared.policy
    policy.allowance = next
    return JudgedPolicy(policy, log: declared.log, shared: false, options: declared.options)
      .proofs(inexplicable: nil).isEmpty
  }

  private init(
    _ declared: JudgedPolicy, _ firm: [JudgedPolicy.Verdict], _ judged: JudgedPolicy, _ evidence: LimitEvidence,
    _ honesty: [Finding]
  ) {
    self.judged = judged
    self.honesty = honesty
    verdict = firm.first?.proof.kind.verdict ?? .contradictory
    let (policy, other) = (declared.policy, judged.policy)
    let isFiner = judged.keys.count > declared.keys.count
    let values = counted(declared.keys.count, "key")
    let places =
      other.key == .global
      ? "one counter for all of them"
      : other.key == .sourceAddress
        ? judged.keys.count == 1 ? "share one address" : "have \(judged.keys.count) addresses"
        : "share \(judged.keys.count == 1 ? "one value" : "\(judged.keys.count) values") of \(other.key.text)"
    let rejections = counted(evidence.refusals, "rejection")
    let (counter, fit) =
      other.key == .global
      ? ("one counter for all clients", "the run used \(values), and all \(rejections) fit \(places)")
      : (
        "a count by \(other.key.text)",
        (isFiner
          ? "the run used \(counted(judged.keys.count, "value")) of \(other.key.text)" : "all \(values) \(places)")
          + ", and all \(rejections) fit \(other.terms) by \(other.key.text)"
          + (judged.keys.count == 1 ? ", and one counter for all clients as well" : "")
      )
    let message = "\(counter) explains the responses, but a count by \(policy.key.text) does not: \(fit)"
    var details: [String] = []
    if let worst = firm.first {
      let many = firm.count == 1 ? "one key was" : "\(firm.count) keys were"
      let what = isFiner ? "admitted too often" : "rejected with quota left"
      details.append("Counted by \(policy.key.text), \(many) \(what). The first case: \(declared.sentence(worst))")
      details += declared.witnessLines(worst)
    }
    let moments = firm.flatMap { verdict in
      verdict.proof.witness.map { declared.keys[verdict.key].trace.requests[$0].sent }
    }
    let only = policy.operations.count == 1 ? policy.operations[0] : nil
    finding = Finding(
      kind: policy.key.part(missingIn: other.key).keyKind, operation: only,
      message: (only == policy.name ? "" : policy.name + ": ") + message, details: details, count: max(1, firm.count),
      firstSeen: .saturating(seconds: moments.min() ?? 0), lastSeen: .saturating(seconds: moments.max() ?? 0),
      discriminator: policy.name + " " + policy.notation,
      evidence: Evidence(curl: firm.first.flatMap { declared.curl($0, by: judged) }))
  }

  /// The finding's message, as the sentence of a row.
  var sentence: String { finding.message + "." }
}

extension LimitKey {
  /// Keys that distinguish fewer clients, the simplest first.
  fileprivate var coarser: [LimitKey] {
    guard !parts.isEmpty else { return [] }
    let fewer = parts.count < 2 ? [] : parts.map { part in LimitKey(parts.filter { $0 != part }) }
    var seen: Set<LimitKey> = [self]
    return ([.sourceAddress] + fewer + [.global]).filter { seen.insert($0).inserted }
  }

  /// Keys that distinguish more clients: by the headers in which the log's clients differ.
  fileprivate func finer(in log: LimitLog) -> [LimitKey] {
    let names = Set(log.identities.flatMap { $0.headers.map(\.name) }).sorted()
    var seen: Set<LimitKey> = [self]
    return (names.map { LimitKey.header($0) } + names.map { LimitKey(parts + [.header($0)]) })
      .filter { seen.insert($0).inserted }
  }

  /// The first part of this key that another one does not have.
  fileprivate func part(missingIn other: LimitKey) -> Part {
    parts.first { !other.parts.contains($0) } ?? parts.first ?? .sourceAddress
  }
}

extension LimitKey.Part {
  /// The finding that the limiter does not count by the declared key.
  fileprivate var keyKind: FindingKind {
    switch self {
    case .sourceAddress: .limitKeySourceAddress
    case .token, .header("authorization"): .limitKeyAuthorization
    case .header: .limitKeyDeviceHeader
    }
  }
}

extension LimitPolicy {
  /// `60 per 60 s`
  fileprivate var terms: String {
    algorithm == .tokenBucket ? "burst \(allowance) at \(rate.text)" : "\(allowance) per \(window.text)"
  }
}

/// Other limits that may have rejected requests instead of one limit.
///
/// A rejection that only an unverified limit explains does not excuse another limit: it proves nothing against the
/// limit in question, and the limit does not pass with it either.
struct LimitRivals {
  /// The limits that explain rejections which the limit also explains.
  private(set) var sharing: [String] = []
  /// Rejections that both the limit and one of them explain.
  private(set) var shared = 0
  /// Rejections that the limit cannot explain, and that only limits explain which this run did not verify.
  private(set) var unverified = 0
  /// Those limits.
  private(set) var suspects: [String] = []

  init() {}

  /// - Parameters:
  ///   - isVerified: true if a limit was reached and held on rejections that only it explains.
  ///   - named: the rejections whose response names its cause.
  init(of policy: JudgedPolicy, among others: [JudgedPolicy], isVerified: [Bool], besides named: [Int: Int]) {
    guard policy.isShared else { return }
    for key in policy.keys {
      for refusal in key.trace.refused.lazy.map({ key.trace.requests[$0].id }) where named[refusal] == nil {
        let explaining = others.indices.filter { others[$0].explains(refusal) }
        if !policy.unexplained.contains(refusal) {
          if !explaining.isEmpty { shared += 1 }
          addNames(of: explaining.map { others[$0] }, to: &sharing)
        } else if !explaining.isEmpty, !explaining.contains(where: { isVerified[$0] }) {
          unverified += 1
          addNames(of: explaining.map { others[$0] }, to: &suspects)
        }
      }
    }
  }

  private func addNames(of limits: [JudgedPolicy], to names: inout [String]) {
    for limit in limits {
      let name = "\(limit.policy.name) (\(limit.policy.text))"
      if !names.contains(name) { names.append(name) }
    }
  }
}

extension JudgedPolicy {
  /// True if a rejection of an operation that this policy shares may be its own.
  func explains(_ refusal: Int) -> Bool { covers(refusal) && !unexplained.contains(refusal) }

  /// The policies that count some of the same requests in another way.
  func rivals(among all: [JudgedPolicy]) -> [JudgedPolicy] {
    all.filter { $0.policy.overlaps(policy) && !$0.policy.hasSizeAndKey(of: policy) }
  }
}
