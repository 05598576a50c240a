import MurphyJudge
import MurphyModel

extension Prober {
  /// By how much the bounds of the window may differ for a limiter to be identified.
  private static let widestWindow = 1.25
  /// The part of a window that a declared clock step may be for the kinds to be told apart: they count by the millisecond.
  private static let coarseTick = 0.05
  /// A black box's window is so many times as long as the answers to the first burst took, at least: a burst that is
  /// decided on during a window says nothing of its allowance.
  private static let longestBurstPart = 4.0

  /// Writes the answer down and goes on to the closing questions.
  mutating func conclude() {
    experimentsDone = now
    guard !isHiddenByRivals else { return concludeHidden() }
    // Where the declared terms explain nothing, requests from before the probe may be why.
    let isDoubtful = (isRelaxed || posterior?.best == .logCountingRefused) && !startsQuiet
    guard let posterior, !isUnknownKind, !isDoubtful else {
      if !isExplained || isUnknownKind || isDoubtful, beginsAgain() { return }
      // What was decided at an unknown time does not prove that no limiter explains it, nor does what requests
      // from before the probe may have caused.
      let isUnknown =
        isExplained && !isUnknownKind || late.worst > Self.slowBurst || !startsQuiet
        || hasCoarseClock(within: options.declared?.window.inSeconds ?? .infinity)
      report.outcome = isUnknown ? .unfinished : .unexplained
      report.say(isUnknown ? .tooLittle : .unexplained(longest: longestTried))
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
    let isNarrow = posterior.window.high <= Self.widestWindow * posterior.window.low
    let isTimely = known != nil || Self.longestBurstPart * firstBurstRide <= posterior.window.low
    let isSure =
      posterior.shares[0].share >= options.confidence && report.isVerified
      && (!needsTrial(posterior) || isConfirmed(posterior))
      && !hasCoarseClock(within: posterior.window.low)
    report.outcome = isSure && isNarrow && isTimely ? .identified : .ambiguous
    let allowance = ProbeReport.Estimate(
      low: Double(posterior.possibleAllowances.lowerBound), value: Double(posterior.allowance.middle),
      high: Double(posterior.possibleAllowances.upperBound))
    let window = ProbeReport.Estimate(
      low: posterior.window.low, value: posterior.window.middle, high: posterior.window.high)
    report.allowance = allowance
    report.window = window
    report.rate = Double(posterior.allowance.middle) / posterior.window.middle
    if report.outcome == .identified, best == .log || best == .logCountingRefused {
      report.countsRefused = best == .logCountingRefused
    }
    report.sayFirst(
      .terms(
        ProbeFact.Terms(
          operation: operation, algorithm: best.text, allowance: allowance, window: window,
          rate: best == .bucket ? 1 / posterior.interval : nil, probability: posterior.shares[0].share,
          runnerUp: posterior.shares.count > 1
            ? ProbeReport.Candidate(
              algorithm: posterior.shares[1].hypothesis.text, probability: posterior.shares[1].share)
            : nil, isDecided: report.outcome == .identified)))
    compareWithDeclared()
    stage = .closing(FollowUps(self))
  }

  /// Whether the declared step of the server's clock hides of which kind a limiter with this window is.
  private func hasCoarseClock(within window: Double) -> Bool {
    (options.declared?.tick?.inSeconds ?? 0) > Self.coarseTick * window
  }

  /// Where requests from before the probe may have filled its first window, all is asked once more after a wait, on
  /// counters that are empty then.
  ///
  /// - Returns: whether there is time for it, and a reason.
  private mutating func beginsAgain() -> Bool {
    guard !startsQuiet else { return false }
    let seen = decided.map(\.sent).min().map { release - $0 } ?? 0
    let pause = 2.1 * max(seen, options.declared?.window.inSeconds ?? 0) + 0.05
    guard now + 2 * pause < options.maxSeconds, requests + firstBurst + 50 < options.maxRequests else { return false }
    startsQuiet = true
    (decided, everything, candidates, space, bracket) = ([], [], [], nil, nil)
    (posterior, particles, pending) = (nil, [], [])
    (rounds, bursts, trials, trial, isExplained, isRelaxed) = (0, 0, 0, nil, true, false)
    (firstBurst, largestBurst, earlierShaping) = (0, 0, nil)
    report.keys = []
    report.retract { if case .key = $0 { true } else { false } }
    exhaustPause = pause
    stage = .exhaust
    return true
  }

  /// Allowance and key are known, the window is not waited for.
  mutating func concludePartially() {
    guard !isHiddenByRivals else { return concludeHidden() }
    report.outcome = .partial
    report.sayFirst(.admittedAtOnce(firstBurst))
    report.say(
      .windowNotMeasured(declared: options.declared.map(\.windowText), announced: retryAfter))
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

  /// Whether the first burst got what the declaration says; fewer where earlier requests may have taken the rest.
  private func isLikelyBurst(of declared: LimitPolicy) -> Bool {
    firstBurst == declared.allowance || (!startsQuiet && firstBurst < declared.allowance)
  }

  /// Whether the sound rules accept the answer for some window within 2 %.
  private func verify(_ posterior: ProbePosterior) -> Bool {
    let trace = LimitTrace(telling.map(\.traced), refusedMayCount: posterior.best == .logCountingRefused)
    return posterior.possibleAllowances.contains { allowance in
      (-4...4).contains { step in
        let window = posterior.window.middle * (1 + Double(step) * 0.005)
        let terms = LimitTerms(allowance: allowance, window: window, tick: 0.001)
        return LimitCheck.outcome(of: trace, algorithm: posterior.best.algorithm, terms: terms).isConsistent
      }
    }
  }

  /// The dimensions found do not contradict the promised key.
  private var keyAgrees: Bool {
    options.declared.map { report.keyMistakes($0, headers: options.deviceHeaders).isEmpty } ?? true
  }

  /// Parts of the declared key that none of these key answers is about, where the key was asked about at all.
  private func parts(without isAnswer: (ProbeReport.KeyFinding) -> Bool) -> [LimitKey.Part] {
    guard let declared = options.declared, !declared.keyIsAssumed, !options.dimensions.isEmpty else { return [] }
    let varied = report.keys.filter(isAnswer).map(\.dimension)
    return declared.key.parts.filter { part in
      !varied.contains { $0.isPromised(by: LimitKey([part]), headers: options.deviceHeaders) == true }
    }
  }

  /// Every dimension that was asked about was told, but for those that the API does not serve.
  private var isKeyKnown: Bool {
    parts(without: { $0.separates != nil }).isEmpty
      && !report.facts.contains { fact in
        guard case .key(let key) = fact, case .open(let reason) = key.answer else { return false }
        return reason != .notServed
      }
  }

  /// What the sound rules say about the declaration, on all that was sent; and whether the answer found is the same.
  ///
  /// The declaration is contradicted only by proof, never by what is merely more likely.
  mutating func compareWithDeclared() {
    guard let declared = options.declared else { return }
    func say(_ comparison: ProbeFact.Comparison) { report.say(.declared(policy: declared.text, comparison)) }
    if let contradiction = contradiction(of: declared) {
      report.agreesWithDeclared = false
      return say(.contradicted(contradiction))
    }
    guard report.outcome == .identified, let posterior else { return say(open(isLikely: !isRelaxed)) }
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
        report.say(.key(ProbeFact.Key(dimension: part.text, answer: .open(.noOther))))
      }
      return say(.open(isLikely: true))
    }
    guard contradictable > 0 else { return say(.open(isLikely: true)) }
    report.agreesWithDeclared = keyAgrees
    say(keyAgrees ? .confirmed(trials: contradictable) : .otherKey)
  }

  /// The requests of the last questions may prove what those before them could not. Only an over-admission counts:
  /// requests that a target sent of its own can explain a refusal, never an admission.
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

  /// Why the declaration cannot be true, whatever the delays were; nil when it can.
  func contradiction(of declared: LimitPolicy) -> ProbeFact.Contradiction? {
    let trace = LimitTrace(
      telling.map(\.traced), startsQuiet: startsQuiet, refusedMayCount: declared.counts.refused != .no)
    let terms = LimitTerms(allowance: declared.allowance, window: declared.window.inSeconds, tick: options.tick)
    return switch LimitCheck.outcome(of: trace, algorithm: declared.algorithm, terms: terms) {
    case .consistent: nil
    case .overAdmission: .overAdmission(firstBurst: burst(beyond: declared))
    case .overThrottling: .overThrottling
    case .contradictory: .together
    }
  }
}
