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
    let terms = LimitTerms(
      policy, unit: keys.first?.trace.unit ?? 1, tick: gate, drift: drift, phase: phase)
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
    LimitTerms(policy, unit: unit, tick: gate, drift: drift, phase: phase)
  }

  /// The part of the quota in one entry of a trace.
  var unit: Int { keys.first?.trace.unit ?? 1 }

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
      guard policy.algorithm == .any, trace.certainSent.count > terms.allowance else { return true }
      return TokenBucketRule.overAdmits(trace, terms) != nil && SlidingCounterRule.overAdmits(trace, terms) != nil
    }
    return WindowEdges(traces, allowance: terms.allowance, window: window, tick: gate)
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

/// All sentences of the limit judge about a proof.
extension JudgedPolicy {
  /// The proven violation, without the policy's name.
  func sentence(_ verdict: Verdict) -> String {
    let key = keys[verdict.key]
    let requests = self.requests(of: verdict)
    guard let first = requests.first else {
      return "the responses to requests of key \(key.key) do not match \(policy.text)."
    }
    let certain = requests.filter { $0.role == .certain }
    let admitted = counted(certain.count, "request") + cost(of: certain)
    let end = requests.map(\.settled).max() ?? first.settled
    let span = "key \(key.key), from \(moment(first.sent)) to \(moment(end))"
    switch verdict.proof.kind {
    case .overAdmission:
      if end - first.sent < policy.window.inSeconds {
        return
          "admitted \(admitted) within \(text(end - first.sent)), more than \(policy.text) (key \(key.key), from \(moment(first.sent)) on)."
      }
      return
        "admitted \(admitted), although \(policy.text) admits fewer, whenever the server counted them (\(span))."
    case .overThrottling:
      guard let refused = requests.last(where: { $0.role == .refused }) else {
        return "rejected requests, although \(policy.text) admits at least one of them (key \(key.key))."
      }
      let refusals = requests.count { $0.role == .refused }
      if refusals > 1 {
        return
          "rejected \(refusals.text) requests, although \(policy.text) admits at least one of them (\(span))."
      }
      let others = requests.count - 1
      let possible = requests.filter { $0.role != .refused }
      let origin = verdict.proof.isFresh ? "; \(keyOrigin(of: key))" : ""
      // The numbers come first: a narrow terminal cuts the end.
      let most =
        others == 0 ? "no counted request" : "at most \(counted(others, "counted request"))" + cost(of: possible)
      return
        "rejected a request\(cost(of: [refused])) after \(most); the limit is \(policy.text) (key \(key.key), at \(moment(refused.sent))\(origin))."
    case .contradictory:
      return
        "admitted and rejected requests in a way that is impossible under \(policy.text) (\(span))."
    }
  }

  /// ` at a cost of 40`; empty for a limit on which each request costs 1.
  private func cost(of requests: [LimitTrace.Request]) -> String {
    policy.cost == nil ? "" : " " + policy.amount(requests.reduce(0) { $0 + $1.cost })
  }

  /// The time before which a fresh key's value did not exist.
  private func keyOrigin(of key: KeyedTrace) -> String {
    key.isIssued ? "the target issued the key's value in this run" : "the key's value was generated in this run"
  }

  /// The range of policies that the proof refutes.
  func refutation(_ verdict: Verdict) -> String? {
    let clock = "is valid up to a server clock resolution of \(text(verdict.proof.tick))"
    guard let allowance = verdict.proof.refutedAllowance else { return "The proof " + clock + "." }
    switch verdict.proof.kind {
    case .overAdmission:
      let shown = verdict.proof.shownAllowance ?? allowance
      let requests = shown < allowance ? "All requests of the key exclude" : "The requests shown exclude"
      return "\(requests) every quota up to \(allowance) per \(policy.window.text)"
        + (shown < allowance ? ", and the requests shown exclude every quota up to \(shown)" : "")
        + ". The proof \(clock)."
    case .overThrottling:
      return
        "The requests shown exclude every quota of \(allowance) or more per \(policy.window.text). The proof \(clock)."
    case .contradictory: return "The proof " + clock + "."
    }
  }

  /// The requests that prove a violation, in the order in which they were sent.
  func requests(of verdict: Verdict) -> [LimitTrace.Request] {
    verdict.proof.witness.map { keys[verdict.key].trace.requests[$0] }.sorted { $0.sent < $1.sent }
  }

  /// The witness as lines; a long run of equal outcomes is shortened.
  func witnessLines(_ verdict: Verdict, most: Int = 12) -> [String] {
    let requests = requests(of: verdict)
    func line(_ request: LimitTrace.Request) -> String {
      let status = log.observations[request.id].status
      let response = status == 0 ? "no response" : "answered \(moment(request.settled)) with \(status)"
      return "sent \(moment(request.sent)), \(response): \(request.decision.rawValue)"
        + (policy.cost == nil ? "" : ", cost \(request.cost)")
    }
    if requests.count <= most { return requests.map(line) }
    return requests.prefix(most / 2).map(line) + ["… \(requests.count - most) more requests …"]
      + requests.suffix(most / 2).map(line)
  }

  /// A shell command that sends the witness again, with its pauses.
  ///
  /// Admitted requests alone prove over-admission, unless the proof depends on the key's earlier requests. An
  /// unexplained rejection depends on the state of the limiter. Then the script includes all requests of the key.
  ///
  /// - Parameter other: the policy by the key that the limiter counts by; nil for its declared one.
  func curl(_ verdict: Verdict, by other: JudgedPolicy? = nil) -> ShellScript? {
    let witness = verdict.proof.witness.map { keys[verdict.key].trace.requests[$0].id }
    let counting = other ?? self
    var script = LimitScript(log: log, options: options, key: counting.policy.key, window: policy.window.text)
    let isAlone = verdict.proof.kind == .overAdmission && verdict.proof.isComplete
    if isAlone {
      // Windows of this limiter begin at fixed times, whatever the script sends.
      let begin = policy.algorithm == .fixedAligned ? "Start the script at the beginning of a window of the API. " : ""
      script.remark = begin + "The declared limit rejects at least one of these \(counted(witness.count, "request"))."
    }
    guard !isAlone, let first = witness.min(by: { log.observations[$0].sent < log.observations[$1].sent }),
      let end = witness.map({ log.observations[$0].sent }).max(),
      let key = other == nil ? keys[verdict.key] : counting.keys.first(where: { $0.observations.contains(first) })
    else {
      return script.replay(witness)
    }
    let window = policy.window.inSeconds
    let history = LimitScript.history(
      key.observations.filter { log.observations[$0].sent <= end }, of: first, log, window: window)
    let all = Set(history.suffix(Self.longestHistory)).union(witness)
    if other == nil { script.absent = absent(besides: verdict.key, until: end) }
    return script.replay(all.sorted { log.observations[$0].sent < log.observations[$1].sent })
  }

  /// Requests with other keys, or without one, within a window before a time: a limiter that also counts them needs
  /// them.
  private func absent(besides key: Int, until end: Instant) -> Int {
    let from = end + -policy.window.nanoseconds
    let covered = log.operations.map { policy.covers($0) }
    func isNear(_ observation: LimitObservation) -> Bool { observation.sent >= from && observation.sent <= end }
    let all = log.observations.count { covered[Int($0.operation)] && isNear($0) }
    return all - keys[key].observations.count { isNear(log.observations[$0]) }
  }

  /// The maximum of further requests of a key that a script sends in addition to the witness.
  private static let longestHistory = 1_000

  func text(_ seconds: Double) -> String { Duration.saturating(seconds: seconds).text(places: 4) }

  /// A time of the run, to the millisecond.
  func moment(_ seconds: Double) -> String { Figure.exact(.saturating(seconds: seconds)).text }
}
