import MurphyModel

/// A violation on one key: the proven statement, the few requests of its witness, and its certainty.
package struct LimitProof: Sendable {
  /// The kinds of violation.
  package enum Violation: Int, Sendable, Comparable {
    case contradictory, overThrottling, overAdmission

    package static func < (left: Violation, right: Violation) -> Bool { left.rawValue < right.rawValue }
  }

  /// The proven violation.
  package var kind: Violation
  /// Indices into the trace's requests, ascending.
  package var witness: [Int]
  /// The coarsest server clock under which it still holds, seconds.
  package var tick: Double
  /// True if the witness is a proof for every set of further requests. False when the key's other requests must also be
  /// known, since a missing one may have begun a window.
  package var isComplete = true
  /// The key's value did not exist before this run, and that is part of the proof.
  package var isFresh = false
  /// Every allowance up to this (over-admission) or from this on (over-throttling) is refuted.
  package var refutedAllowance: Int?
  /// The same, for the part that the witness alone proves.
  package var shownAllowance: Int?

  /// Server clock ticks at which verdicts are computed, seconds: milliseconds to `int(time.time())`.
  package static let ticks = [1e-3, 1e-2, 1e-1, 1]

  /// The maximum tick of a limiter with this window: windows are whole multiples of the clock's step.
  package static func coarsestTick(for window: Double) -> Double {
    for tick in ticks.reversed() {
      let steps = window / tick
      if steps >= 1, (steps - steps.rounded()).magnitude < 1e-6 * steps { return tick }
    }
    return ticks[0]
  }

  /// Judges one key; nil when the finest clock already explains everything.
  ///
  /// - Parameter inexplicable: rejections (observation ids) that no policy of several explains; nil when this is the
  ///   only one.
  package static func find(
    in trace: LimitTrace, policy: LimitPolicy, drift: Double = LimitTerms.usualDrift,
    phase: AlignedWindowRule.KnownPhase? = nil, inexplicable: Set<Int>? = nil
  ) -> LimitProof? {
    var terms = LimitTerms(policy, unit: trace.unit, tick: ticks[0], drift: drift, phase: phase)
    guard let found = suspicion(trace, policy.algorithm, terms, inexplicable) else { return nil }
    let kind = found.kind
    var hint = found.hint
    for tick in ticks.dropFirst().reversed() {
      terms.tick = tick
      if let coarse = suspicion(trace, policy.algorithm, terms, inexplicable), coarse.kind == kind {
        hint = coarse.hint
        break
      }
      terms.tick = ticks[0]
    }
    var proof = LimitProof(kind: kind, witness: [], tick: terms.tick)
    switch kind {
    case .overAdmission: proof.explainExcess(trace, policy.algorithm, terms, hint)
    case .overThrottling: proof.explainRefusal(trace, policy.algorithm, terms, inexplicable)
    case .contradictory: proof.explainContradiction(trace, policy.algorithm, terms)
    }
    proof.refutedAllowance = proof.refutedAllowance.map { $0 * trace.unit }
    proof.shownAllowance = proof.shownAllowance.map { $0 * trace.unit }
    return proof
  }

  /// The violation in a trace; for an over-admission also the requests among which the proof is expected.
  private static func suspicion(
    _ trace: LimitTrace, _ algorithm: LimitAlgorithm, _ terms: LimitTerms, _ inexplicable: Set<Int>?
  ) -> (kind: Violation, hint: [Int])? {
    switch LimitCheck.outcome(of: trace, algorithm: algorithm, terms: terms) {
    case .overAdmission(let excess): return (.overAdmission, excess.hint)
    case .overThrottling: return (.overThrottling, [])
    case .contradictory: return (.contradictory, [])
    case .consistent: break
    }
    guard let inexplicable, !inexplicable.isEmpty else { return nil }
    let unexplained = LimitCheck.unexplainedRefusals(trace, algorithm, terms)
    return unexplained.contains { inexplicable.contains(trace.requests[$0].id) } ? (.overThrottling, []) : nil
  }

  private mutating func explainExcess(
    _ trace: LimitTrace, _ algorithm: LimitAlgorithm, _ terms: LimitTerms, _ hint: [Int]
  ) {
    if let near = Self.proving(hint, trace, algorithm, terms) {
      let part = trace.alone(near)
      explain(part, searching: part, algorithm, terms, hint: [])
      witness = witness.map { near[$0] }
      return
    }
    // Around the hint the search costs little; without one the whole trace is bisected.
    let near = trace.requests(around: hint, within: 3 * terms.window)
    let part = near.map { trace.keepingStarters($0, window: terms.longWindow) } ?? trace
    let local = LimitCheck.excess(part, algorithm, terms) == nil ? trace : part
    explain(trace, searching: local, algorithm, terms, hint: hint)
  }

  /// - Parameter local: a part of the trace that also shows the excess.
  private mutating func explain(
    _ trace: LimitTrace, searching local: LimitTrace, _ algorithm: LimitAlgorithm, _ terms: LimitTerms, hint: [Int]
  ) {
    refutedAllowance = WitnessReduction.largest(from: terms.allowance, atMost: Self.reach(terms)) {
      LimitCheck.excess(local, algorithm, terms.with(allowance: $0)) != nil
    }
    let reduction = WitnessReduction(trace, algorithm, terms)
    witness = reduction.witness(hint: hint)
    isComplete = reduction.isComplete
    let shown = reduction.part(witness)
    shownAllowance = WitnessReduction.largest(from: terms.allowance, atMost: refutedAllowance ?? terms.allowance) {
      LimitCheck.excess(shown, algorithm, terms.with(allowance: $0)) != nil
    }
  }

  /// Requests of a long trace that alone prove the excess. They are few, so that the work does not grow with the run,
  /// and next to an end of the hint; without a hint, at some place. They must span several steps of the server's clock.
  /// Where the load is high, some of them are enough. A proof from selected requests is valid for every set of further
  /// requests.
  private static func proving(
    _ hint: [Int], _ trace: LimitTrace, _ algorithm: LimitAlgorithm, _ terms: LimitTerms
  ) -> [Int]? {
    let reach = reach(terms)
    guard max(longTrace, 6 * reach) < trace.requests.count else { return nil }
    // Most limiters that admit too much do so everywhere that the load is high.
    for anchor in [hint.last ?? trace.requests.count - 1, hint.first ?? trace.requests.count / 2] {
      let moment = trace.requests[anchor].sent
      let first = min(trace.firstIndex(sentAfter: moment - 3 * terms.tick), max(0, anchor - 2 * reach))
      let end = max(trace.firstIndex(sentAfter: moment + 3 * terms.tick), anchor + reach)
      let last = min(trace.requests.count - 1, end)
      let near = Array(stride(from: first, through: last, by: max(1, (last - first) / (4 * reach))))
      if LimitCheck.excess(trace.alone(near), algorithm, terms) != nil { return near }
    }
    return nil
  }

  /// The largest allowance that is tried.
  private static func reach(_ terms: LimitTerms) -> Int { 4 * terms.allowance + 1000 }

  /// Requests from which on a trace is long.
  private static let longTrace = 20_000

  private mutating func explainRefusal(
    _ trace: LimitTrace, _ algorithm: LimitAlgorithm, _ terms: LimitTerms, _ inexplicable: Set<Int>?
  ) {
    func refusals(_ terms: LimitTerms) -> [Int] {
      LimitCheck.unexplainedRefusals(trace, algorithm, terms).filter {
        inexplicable?.contains(trace.requests[$0].id) ?? true
      }
    }
    guard !refusals(terms).isEmpty else { return explainContradiction(trace, algorithm, terms) }
    let refuted = (1..<terms.allowance).partitioningIndex { !refusals(terms.with(allowance: $0)).isEmpty }
    (refutedAllowance, shownAllowance) = (refuted, refuted)
    // The rejection with the largest remaining allowance is shown: it alone refutes all of these allowances.
    guard let first = refusals(terms.with(allowance: refuted)).first else { return }
    // A fresh key needs no window: all requests ever sent with it count.
    if let early = FreshKeyRule.unexplainedRefusals(trace, terms.with(allowance: refuted)).first(where: {
      inexplicable?.contains(trace.requests[$0].id) ?? true
    }) {
      isFresh = true
      let until = trace.requests[early].settled
      witness = trace.requests.indices.filter {
        $0 == early || (trace.requests[$0].sent <= until && trace.requests[$0].mayCount(refused: trace.refusedMayCount))
      }
      return
    }
    let span = algorithm == .slidingCounter || algorithm == .any ? 2 * terms.window : terms.window
    witness = trace.requests(before: first, within: span)
  }

  private mutating func explainContradiction(
    _ trace: LimitTrace, _ algorithm: LimitAlgorithm, _ terms: LimitTerms
  ) {
    if let contradiction = LimitCheck.rule(for: algorithm)?.contradicts(trace, terms), !contradiction.requests.isEmpty {
      witness = contradiction.requests
      return
    }
    // The earliest time by which it was impossible: rejections settled by then, all other requests sent by then.
    func seen(by moment: Double) -> LimitTrace {
      trace.with(
        trace.requests.filter { $0.role == .refused ? $0.settled <= moment : $0.sent <= moment })
    }
    let moments = trace.refused.map { trace.requests[$0].settled }.sorted()
    guard !moments.isEmpty else { return }
    let failing = (0..<moments.count - 1).partitioningIndex {
      !LimitCheck.outcome(of: seen(by: moments[$0]), algorithm: algorithm, terms: terms).isConsistent
    }
    let end = moments[failing]
    let last = trace.requests.indices.filter {
      trace.requests[$0].sent <= end && trace.requests[$0].settled > end - 2 * terms.window
    }
    witness = Array(last.suffix(60))
  }
}

extension LimitCheck {
  /// Over-admission alone; for `any` only if all five algorithms show it.
  static func excess(_ trace: LimitTrace, _ algorithm: LimitAlgorithm, _ terms: LimitTerms) -> OverAdmission? {
    if let rule = rule(for: algorithm) { return rule.overAdmits(trace, terms) }
    var found: OverAdmission?
    for rule in LimitAlgorithm.concrete.compactMap(rule(for:)) {
      guard let excess = rule.overAdmits(trace, terms) else { return nil }
      if found == nil || found?.hint.isEmpty == true { found = excess }
    }
    return found
  }

  /// Rejections that the algorithm cannot explain one by one; for `any` those that none of the five can.
  package static func unexplainedRefusals(
    _ trace: LimitTrace, _ algorithm: LimitAlgorithm, _ terms: LimitTerms
  ) -> [Int] {
    let early = FreshKeyRule.unexplainedRefusals(trace, terms)
    if let rule = rule(for: algorithm) {
      let unexplained = rule.unexplainedRefusals(trace, terms, firstOnly: false)
      return early.isEmpty ? unexplained : Set(unexplained).union(early).sorted()
    }
    var common: Set<Int>?
    for rule in LimitAlgorithm.concrete.compactMap(rule(for:)) {
      let unexplained = Set(rule.unexplainedRefusals(trace, terms, firstOnly: false))
      common = common.map { $0.intersection(unexplained) } ?? unexplained
    }
    return (common ?? []).union(early).sorted()
  }
}

extension LimitTrace {
  /// All requests within `window` seconds of the given ones, or nil for none given.
  func requests(around indices: [Int], within window: Double) -> [Int]? {
    guard let first = indices.first, let last = indices.last else { return nil }
    let from = requests[first].sent - window
    let to = requests[last].settled + window
    return requests.indices.filter { requests[$0].sent >= from && requests[$0].sent <= to }
  }
}
