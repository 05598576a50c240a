import MurphyJudge
import MurphyModel

extension Prober {
  /// The maximum ratio of the window's bounds for a limiter to count as identified.
  private static let widestWindow = 1.25
  /// The maximum ratio of a declared clock step to the window for identifying the algorithm. The candidates count by
  /// the millisecond.
  private static let coarseTick = 0.05
  /// The minimum ratio of a black box's window to the response time of the first burst. A longer decision time would
  /// hide the allowance of a burst.
  private static let longestBurstPart = 4.0

  /// Records the result and continues with the closing questions.
  mutating func conclude() {
    experimentsDone = now
    guard !isHiddenByRivals else { return concludeHidden() }
    // If the declared terms do not explain the evidence, requests from before the probe may be the cause.
    let isDoubtful = (isRelaxed || posterior?.best == .logCountingRefused) && !startsQuiet
    guard let posterior, !isUnknownKind, !isDoubtful else {
      if !isExplained || isUnknownKind || isDoubtful, beginsAgain() { return }
      // A decision at an unknown time is not evidence that no limiter explains it. The same applies to effects of
      // requests from before the probe.
      let reasons = openReasons
      report.outcome = reasons.isEmpty ? .unexplained : .unfinished
      if reasons.isEmpty { report.say(.unexplained(longest: longestTried)) }
      for reason in reasons { report.say(.uncertain(reason)) }
      compareWithDeclared()
      finish()
      return
    }
    let best = posterior.best
    report.candidates = posterior.shares.prefix(3).map {
      ProbeReport.Candidate(algorithm: $0.hypothesis.text, probability: ($0.share * 1000).rounded() / 1000)
    }
    if report.candidates.count == 1, let second = ProbeHypothesis.allCases.first(where: { $0 != best }) {
      report.candidates.append(ProbeReport.Candidate(algorithm: second.text, probability: 0))
    }
    report.isVerified = verify(posterior)
    let doubts = doubts(posterior)
    report.outcome = doubts.isEmpty ? .identified : .ambiguous
    let bounds = bounds(posterior)
    let allowance = ProbeReport.Estimate(Double(posterior.allowance.middle), within: bounds.allowance)
    let window = ProbeReport.Estimate(posterior.window.middle, within: bounds.window)
    let rate = ProbeReport.Estimate(
      best == .bucket ? 1 / posterior.interval : allowance.value / window.value, within: bounds.rate)
    (report.allowance, report.window, report.rate) = (allowance, window, rate)
    if report.outcome == .identified, best == .log || best == .logCountingRefused {
      report.countsRefused = best == .logCountingRefused
    }
    report.sayFirst(
      .terms(
        ProbeFact.Terms(
          operation: operation, algorithm: best.text, allowance: allowance, window: window,
          rate: best == .bucket ? rate : nil, probability: posterior.shares[0].share,
          runnerUp: posterior.shares.count > 1
            ? ProbeReport.Candidate(
              algorithm: posterior.shares[1].hypothesis.text, probability: posterior.shares[1].share)
            : nil, isDecided: report.outcome == .identified)))
    for doubt in doubts { report.say(.uncertain(doubt)) }
    compareWithDeclared()
    stage = .closing(FollowUps(self))
  }

  /// The reasons why no kind of limiter is a result, other than that none explains the responses.
  private var openReasons: [ProbeFact.Doubt] {
    var reasons: [ProbeFact.Doubt] = []
    if delays.worst > Self.slowBurst { reasons.append(.slowResponses(delays.worst)) }
    if !startsQuiet { reasons.append(.earlierRequests(pause: againPause)) }
    if hasCoarseClock(within: options.declared?.window.inSeconds ?? .infinity) { reasons.append(.coarseClock) }
    if reasons.isEmpty, isExplained, !isUnknownKind {
      reasons.append(.unconfirmed(posterior.flatMap(missingPart)))
    }
    return reasons
  }

  /// The wait, in seconds, after which the counters are empty and the probe can begin again.
  private var againPause: Double {
    let seen = decided.map(\.sent).min().map { release - $0 } ?? 0
    return 2.1 * max(seen, options.declared?.window.inSeconds ?? 0) + 0.05
  }

  /// The reasons why the most probable terms are not a result; empty for a result.
  private func doubts(_ posterior: ProbePosterior) -> [ProbeFact.Doubt] {
    let window = posterior.window
    var doubts: [ProbeFact.Doubt] = []
    if posterior.shares[0].share < options.confidence { doubts.append(.kinds) }
    if !report.isVerified { doubts.append(.unverified) }
    if needsTrial(posterior), !isConfirmed(posterior) { doubts.append(.unconfirmed(missingPart(posterior))) }
    if hasCoarseClock(within: window.low) { doubts.append(.coarseClock) }
    if window.high > Self.widestWindow * window.low {
      doubts.append(.wideWindow(low: window.low, high: window.high, permitted: Self.widestWindow))
    }
    if known == nil, Self.longestBurstPart * firstBurstRide > window.low { doubts.append(.slowBurst(firstBurstRide)) }
    return doubts
  }

  /// All terms of the likeliest kind that the requests permit, whatever is declared.
  private func bounds(_ posterior: ProbePosterior) -> TermBounds {
    var free = known == nil ? space : newSpace(known: nil, release: release)
    var bounds =
      free?.bounds(of: posterior.best, evidence) ?? TermBounds()
    // Requests from before the probe may contradict the terms that they were declared with.
    let allowances = posterior.possibleAllowances
    // A bucket that gets its tokens in steps may get one during each long burst.
    let burst = firstBurstRide + Double(allowances.lowerBound) * options.spacing
    let isShort = posterior.best != .bucket || burst < posterior.interval / 2
    bounds.include(
      (allowances.lowerBound - (isShort ? 0 : 1), allowances.upperBound),
      windows: (posterior.window.low, posterior.window.high))
    return bounds
  }

  /// True if the declared step of the server's clock hides the algorithm of a limiter with this window.
  private func hasCoarseClock(within window: Double) -> Bool {
    (options.declared?.tick?.inSeconds ?? 0) > Self.coarseTick * window
  }

  /// Repeats all questions after a wait, on empty counters. This applies if requests from before the probe may have
  /// filled its first window.
  ///
  /// - Returns: true if there is time for it and a reason.
  private mutating func beginsAgain() -> Bool {
    guard !startsQuiet else { return false }
    let pause = againPause
    guard now + 2 * pause < timeLimit, requests + firstBurst + 50 < options.maxRequests else { return false }
    startsQuiet = true
    (decided, everything, candidates, space, bracket, others) = ([], [], [], nil, nil, [:])
    (posterior, particles, pending) = (nil, [], [])
    (rounds, bursts, trials, trial, isExplained, isRelaxed) = (0, 0, 0, nil, true, false)
    (firstBurst, largestBurst, earlierShaping, burstSize, admittedBefore) = (0, 0, nil, Self.smallestBurst, 0)
    report.keys = []
    report.retract { if case .key = $0 { true } else { false } }
    exhaustPause = pause
    stage = .exhaust
    return true
  }

  /// Allowance and key are known; the probe does not wait for the window.
  mutating func concludePartially() {
    guard !isHiddenByRivals else { return concludeHidden() }
    report.outcome = .partial
    report.sayFirst(.admittedAtOnce(firstBurst))
    if !isContradictedEarly {
      report.say(.windowNotMeasured(declared: options.declared.map(\.window.text), announced: retryAfter))
    }
    if let declared = options.declared {
      if let contradiction = contradiction(of: declared) {
        report.agreesWithDeclared = false
        report.say(.declared(policy: declared.text, .contradicted(contradiction)))
      } else {
        report.say(.declared(policy: declared.text, open(isLikely: isLikelyBurst(of: declared))))
      }
    }
    finish()
  }

  /// True if the probe ends because its first requests contradict the declaration.
  var isContradictedEarly: Bool {
    options.endsWhenContradicted && !isHiddenByRivals && options.declared.map { contradiction(of: $0) != nil } == true
  }

  /// True if the first burst was admitted as declared. Fewer admissions are allowed if earlier requests may have used
  /// the rest.
  private func isLikelyBurst(of declared: LimitPolicy) -> Bool {
    firstBurst == declared.allowance || (!startsQuiet && firstBurst < declared.allowance)
  }

  /// True if the sound rules accept the result for some window within 2 %.
  private func verify(_ posterior: ProbePosterior) -> Bool {
    let traces = clients.map {
      LimitTrace($0.map(\.traced), refusedMayCount: posterior.best == .logCountingRefused)
    }
    return posterior.possibleAllowances.contains { allowance in
      (-4...4).contains { step in
        let window = posterior.window.middle * (1 + Double(step) * 0.005)
        let terms = LimitTerms(allowance: allowance, window: window, tick: 0.001)
        return traces.allSatisfy {
          LimitCheck.outcome(of: $0, algorithm: posterior.best.algorithm, terms: terms).isConsistent
        }
      }
    }
  }

  /// True if the dimensions found do not contradict the declared key.
  private var keyAgrees: Bool {
    options.declared.map { report.keyMistakes($0, headers: options.deviceHeaders).isEmpty } ?? true
  }

  /// Parts of the declared key without such a key result, if the key was tested at all.
  private func parts(without isIncluded: (ProbeReport.KeyFinding) -> Bool) -> [LimitKey.Part] {
    guard let declared = options.declared, !declared.keyIsAssumed, !options.dimensions.isEmpty else { return [] }
    let varied = report.keys.filter(isIncluded).map(\.dimension)
    return declared.key.parts.filter { part in
      !varied.contains { $0.isPromised(by: LimitKey([part]), headers: options.deviceHeaders) == true }
    }
  }

  /// True if every tested dimension has a result, except those that the API does not support.
  private var isKeyKnown: Bool {
    parts(without: { $0.separates != nil }).isEmpty
      && !report.facts.contains { fact in
        guard case .key(let key) = fact, case .open(let reason) = key.outcome else { return false }
        return reason != .notServed
      }
  }

  /// The verdict of the sound rules on the declaration, from all requests; and whether it equals the result.
  ///
  /// Only proof contradicts the declaration, never a higher likelihood.
  mutating func compareWithDeclared() {
    guard let declared = options.declared else { return }
    func say(_ comparison: ProbeFact.Comparison) { report.say(.declared(policy: declared.text, comparison)) }
    if let contradiction = contradiction(of: declared) {
      report.agreesWithDeclared = false
      return say(.contradicted(contradiction))
    }
    guard report.outcome == .identified, let posterior else {
      // Too little data, and a kind that is not measured, say nothing against the declaration.
      return say(
        open(isLikely: !isRelaxed || [.unfinished, .shaping].contains(report.outcome) || !declared.isMeasurable))
    }
    if posterior.best == .logCountingRefused, declared.counts.refused == .no {
      report.agreesWithDeclared = false
      return say(.contradicted(.countsRefused))
    }
    let isSame =
      (declared.algorithm == .any || declared.algorithm == posterior.best.algorithm)
      && posterior.possibleAllowances.contains(declared.allowance)
      && posterior.window.low / 1.03 <= declared.window.inSeconds
      && declared.window.inSeconds <= posterior.window.high * 1.03
    guard isSame else { return say(open(isLikely: false)) }
    guard !keyAgrees || isKeyKnown else {
      for part in parts(without: { _ in true }) {
        report.say(.key(ProbeFact.Key(dimension: part.text, outcome: .open(.noOther))))
      }
      return say(.open(isLikely: true))
    }
    let missed = nearMisses(of: declared)
    for nearMiss in missed { report.say(.untested(nearMiss)) }
    guard contradictable > 0, missed.isEmpty else { return say(.open(isLikely: true)) }
    report.agreesWithDeclared = keyAgrees
    say(keyAgrees ? .confirmed(trials: contradictable) : .otherKey)
  }

  /// The requests of the last questions may prove more than those before them. Only an over-admission counts: a
  /// target's own requests can explain a rejection, never an admission.
  mutating func compareAgain() {
    guard let declared = options.declared, (report.raceExcess ?? 0) == 0, report.countsFailed != true,
      case .overAdmission? = contradiction(of: declared)
    else { return }
    report.contradict(declared.text, .overAdmission(firstBurst: burst(beyond: declared)))
  }

  private func open(isLikely: Bool) -> ProbeFact.Comparison {
    keyAgrees ? .open(isLikely: isLikely) : .openWithOtherKey
  }

  private func burst(beyond declared: LimitPolicy) -> Int? { firstBurst > declared.allowance ? firstBurst : nil }

  /// The reason why the declaration cannot be true for any delays; nil if it can.
  func contradiction(of declared: LimitPolicy) -> ProbeFact.Contradiction? {
    let terms = LimitTerms(allowance: declared.allowance, window: declared.window.inSeconds, tick: options.tick)
    return traces(declared).lazy.compactMap { trace -> ProbeFact.Contradiction? in
      switch LimitCheck.outcome(of: trace, algorithm: declared.algorithm, terms: terms) {
      case .consistent: nil
      case .overAdmission: .overAdmission(firstBurst: burst(beyond: declared))
      case .overThrottling: .overThrottling
      case .contradictory: .together
      }
    }.first
  }

  /// The requests of each client, for the sound rules. The counter of a fresh client was empty at first.
  private func traces(_ declared: LimitPolicy) -> [LimitTrace] {
    clients.enumerated().map { index, requests in
      LimitTrace(
        requests.map(\.traced), startsQuiet: index > 0 || startsQuiet,
        refusedMayCount: declared.counts.refused != .no)
    }
  }
}

extension LimitPolicy {
  /// False for a kind of limiter that is not among the six measured kinds: a sliding counter or a token bucket that
  /// counts rejected requests, such as `http_req_rate` of HAProxy. To a fixed window it makes no difference.
  fileprivate var isMeasurable: Bool { counts.refused == .no || ![.slidingCounter, .tokenBucket].contains(algorithm) }
}
