import MurphyModel

/// One policy with the traces of all its keys.
struct JudgedPolicy {
  let policy: LimitPolicy
  let log: LimitLog
  let isShared: Bool
  let options: LimitJudgeOptions
  let keys: [KeyedTrace]
  let unkeyed: Int
  /// The tick at which a violation must still hold to count, seconds.
  let gate: Double
  let drift: Double
  /// For windows aligned to the epoch: their beginning on the client's clock, from `Date` headers.
  let phase: AlignedWindowRule.KnownPhase?
  /// For a policy that shares its operations: rejections, as observations, that it cannot explain at the gate's tick.
  let unexplained: Set<Int>
  /// The policy's key is not declared, and its clients differ in more than the assumed key. Then `keys` are single
  /// clients. Too many admissions of one are proof for every key. A rejection is proof only if the requests of all
  /// clients with the assumed key (``together``) are below the allowance.
  let tellsClientsApart: Bool
  /// The traces by the assumed key; empty otherwise.
  let together: [KeyedTrace]

  /// A key and the proven violation on it.
  struct Verdict {
    var key: Int
    var proof: LimitProof
  }

  init(_ policy: LimitPolicy, log: LimitLog, shared: Bool, options: LimitJudgeOptions) {
    self.policy = policy
    self.log = log
    self.options = options
    isShared = shared
    let assumed = KeyedTrace.traces(of: log, under: policy, shared: shared, options: options)
    let clients =
      policy.keyIsAssumed
      ? KeyedTrace.traces(of: log, under: policy, shared: true, byClient: true, options: options).traces : []
    tellsClientsApart = clients.count > assumed.traces.count
    together = tellsClientsApart ? assumed.traces : []
    keys = tellsClientsApart ? clients : assumed.traces
    unkeyed = assumed.unkeyed
    let window = policy.window.inSeconds
    gate = (policy.tick ?? options.tick)?.inSeconds ?? LimitProof.coarsestTick(for: window)
    drift = options.sharesClock ? 0 : LimitTerms.usualDrift
    phase = policy.alignedToEpoch ? Self.epochPhase(of: log, window: window) : nil
    guard shared || tellsClientsApart else {
      unexplained = []
      return
    }
    let terms = LimitTerms(allowance: policy.allowance, window: window, tick: gate, drift: drift, phase: phase)
    var found: Set<Int> = []
    for key in tellsClientsApart ? together : keys {
      for j in LimitCheck.unexplainedRefusals(key.trace, policy.algorithm, terms) {
        found.insert(key.trace.requests[j].id)
      }
    }
    unexplained = found
  }

  private static func epochPhase(of log: LimitLog, window: Double) -> AlignedWindowRule.KnownPhase? {
    var clock = ServerClock()
    let dates = log.headerSets.map { fields in
      fields.first { $0.name == "date" }.flatMap { HTTPDate.seconds($0.value) }
    }
    for observation in log.observations where observation.headers >= 0 {
      guard let date = dates[Int(observation.headers)], let answered = observation.answered else { continue }
      clock.observe(
        date: date, sent: Double(observation.sent - log.start) * 1e-9, answered: Double(answered - log.start) * 1e-9)
    }
    guard let offset = clock.offset, clock.uncertainty < window / 4 else { return nil }
    let phase = -offset.truncatingRemainder(dividingBy: window)
    return AlignedWindowRule.KnownPhase(phase: phase, tolerance: clock.uncertainty)
  }

  /// The terms for the keys at the tick that counts.
  var terms: LimitTerms {
    LimitTerms(
      allowance: policy.allowance, window: policy.window.inSeconds, tick: gate, drift: drift, phase: phase)
  }

  func covers(_ observation: Int) -> Bool {
    policy.covers(log.operations[Int(log.observations[observation].operation)])
  }

  /// True if this policy explains a rejection, and no other policy on its operation can.
  func alone(_ refusal: Int, beside others: [JudgedPolicy]) -> Bool {
    !unexplained.contains(refusal)
      && others.allSatisfy { !$0.covers(refusal) || $0.unexplained.contains(refusal) }
  }

  /// The keys that exceed the allowance within a window in a way that only windows can excuse: not a bucket, not a
  /// sliding count.
  func edges() -> WindowEdges {
    let window = policy.window.inSeconds
    let terms = terms
    let traces = keys.map(\.trace).filter { trace in
      guard policy.algorithm == .any, trace.certainSent.count > policy.allowance else { return true }
      return TokenBucketRule.overAdmits(trace, terms) != nil && SlidingCounterRule.overAdmits(trace, terms) != nil
    }
    return WindowEdges(traces, allowance: policy.allowance, window: window, tick: gate)
  }

  /// The keys of which all requests are in the log. Without some shards these are the keys that were generated in the
  /// run: all requests of a user belong to one shard.
  var wholeKeys: [KeyedTrace] { lacksRequests || isBlurred ? keys.filter(\.trace.isFresh) : keys }

  /// True if other clients may have used the keys: missing shards, or machines that share one address from the
  /// limiter's point of view.
  private var lacksRequests: Bool {
    log.isIncomplete || (log.spansMachines && policy.key.parts.contains(.sourceAddress))
  }

  /// True if the clocks of several machines are too inexact to determine the admissions within a window.
  private var isBlurred: Bool { Double(log.clockWidth) * 1e-9 > policy.window.inSeconds * Self.sharpest }
  /// The negligible part of a window (docs/scale.md, Clocks).
  private static let sharpest = 0.02

  /// True if a proof is valid for every set of further requests. Admissions that are too many for a log, a bucket or
  /// windows of the clock remain too many with further ones. A window that a request begins may have begun with one
  /// that is not in the log. Such a request may also be the cause of a rejection, unless no other client can have used
  /// the key and no other policy rejects.
  private func isProvenByPart(_ verdict: Verdict) -> Bool {
    let isWhole = keys[verdict.key].trace.isFresh
    guard verdict.proof.kind == .overAdmission else { return isWhole && !isShared && !tellsClientsApart }
    return isWhole || [.slidingLog, .tokenBucket, .fixedAligned].contains(policy.algorithm)
  }

  /// True if several clients of one key were admitted too often: they may have separate counters.
  func mixesClients(in verdicts: [Verdict]) -> Bool {
    verdicts.contains { verdict in
      verdict.proof.kind == .overAdmission
        && Set(keys[verdict.key].observations.map { log.identities[Int(log.observations[$0].identity)] }).count > 1
    }
  }

  /// The proven violations, the most severe first.
  func proofs(inexplicable: Set<Int>?) -> [Verdict] {
    keys.indices.compactMap { index in
      LimitProof.find(
        in: keys[index].trace, policy: policy, drift: drift, phase: phase, inexplicable: inexplicable
      ).map { Verdict(key: index, proof: $0) }
    }
    .filter { !lacksRequests || isProvenByPart($0) }
    // If the step of the server's clock is known, a violation that needs a finer one is not even in doubt.
    .filter { $0.proof.tick >= gate || (policy.tick ?? options.tick) == nil }
    .sorted { left, right in
      let leftCounts = left.proof.tick >= gate
      let rightCounts = right.proof.tick >= gate
      if leftCounts != rightCounts { return leftCounts }
      if left.proof.kind != right.proof.kind { return left.proof.kind > right.proof.kind }
      return (left.proof.witness.count, left.key) < (right.proof.witness.count, right.key)
    }
  }
}
