import MurphyJudge
import MurphyModel

/// The questions after a limiter's terms are known: whether it has a race, and whether failed requests count.
struct FollowUps: Sendable {
  private enum Step: Sendable {
    case race
    case invalid
    case invalidRest
    /// The whole quota again, without malformed requests: another limit may use it up as they seemed to.
    case control
    case done
  }

  /// The number of repetitions of a question if the machine was late or the window ended.
  private static let attempts = 3

  private let allowance: Int
  /// The largest possible allowance, and the shortest possible window in seconds.
  private let extremes: (allowance: Int, window: Double)
  private let posterior: ProbePosterior?
  private let window: Double
  private let algorithm: LimitAlgorithm
  private let options: ProbeOptions
  /// True if the terms are known: without them the remaining quota is unknown.
  private let isDecided: Bool
  private var step = Step.race
  private var clients: FreshClients
  /// The client of the current question; nil for the base client.
  private var client: ProbeVariant?
  private var invalidSent = 0
  private var invalidSince = Double.infinity
  /// A request without a response may have been admitted or rejected, at any later time.
  private var isEveryResponseKnown = true
  private var attemptsUsed = 0
  /// True if malformed requests used no quota in the first attempt.
  private var tookNothing = false
  /// True if malformed requests used their number in the first attempt, and the whole quota was available without them.
  /// Both must be seen twice.
  private var tookAll = false
  private var wasLate = false
  private var facts: [ProbeFact] = []

  init(_ prober: Prober) {
    options = prober.options
    clients = prober.fresh
    isDecided = prober.report.outcome == .identified
    posterior = prober.posterior
    allowance = prober.posterior?.allowance.middle ?? 1
    window = prober.posterior?.window.middle ?? 1
    // Declared terms are tested as declared.
    let found = prober.known == nil ? prober.report : nil
    extremes = (
      max(
        allowance, prober.posterior?.possibleAllowances.upperBound ?? 0, Int(saturating: found?.allowance?.largest ?? 0)
      ),
      min(prober.posterior?.window.low ?? window, found?.window?.low ?? window)
    )
    algorithm = prober.posterior?.best.algorithm ?? .fixed
  }

  var text: String {
    switch step {
    case .race: "testing for a race condition"
    case .invalid, .invalidRest, .control: "testing whether failed requests count"
    case .done: "done"
    }
  }

  /// After this idle time every counter is empty again.
  private var emptyAfter: Double { window * (algorithm == .slidingCounter ? 2.04 : 1.02) + 0.05 }

  /// The wait before a question: none for a client without a history, except to open its connections.
  private var freshAfter: Double { client == nil ? emptyAfter : 0.2 }

  mutating func next(_ prober: Prober) -> ProbeVolley? {
    if step != .invalidRest { client = clients.next() }
    while true {
      switch step {
      case .race:
        guard options.triesRace, isAffordable(prober, 2 * allowance, .race) else {
          step = .invalid
          continue
        }
        return ProbeVolley(
          at: prober.now + freshAfter, spacing: 0, requests: ProbeRequest.burst(2 * allowance, from: client),
          quiet: freshAfter)
      case .invalid:
        if options.triesInvalid, !isDecided { facts.append(.unfinished(.countsFailed, .undecidedTerms)) }
        let isAlone = options.rivals.isEmpty
        if options.triesInvalid, isDecided, !isAlone { facts.append(.unfinished(.countsFailed, .otherLimit)) }
        guard options.triesInvalid, isDecided, isAlone, allowance >= 2,
          isAffordable(prober, allowance + 8, .countsFailed)
        else {
          step = .done
          continue
        }
        invalidSent = min(max(3, allowance / 5), allowance - 1)
        return ProbeVolley(
          at: prober.now + freshAfter, spacing: options.spacing,
          requests: [ProbeRequest](repeating: ProbeRequest(isInvalid: true, client: client), count: invalidSent),
          quiet: freshAfter)
      case .invalidRest:
        // Tokens return during the burst: it ends by its rejections, not by its length.
        return ProbeVolley(
          at: prober.now + 0.001, spacing: options.spacing,
          requests: ProbeRequest.burst(4 * allowance + 50, from: client), stopsAfterRefusals: 4)
      case .control:
        guard isAffordable(prober, allowance + 8, .countsFailed) else {
          step = .done
          continue
        }
        return ProbeVolley(
          at: prober.now + freshAfter, spacing: options.spacing,
          requests: ProbeRequest.burst(4 * allowance + 50, from: client), stopsAfterRefusals: 4, quiet: freshAfter)
      case .done: return nil
      }
    }
  }

  private mutating func isAffordable(_ prober: Prober, _ requests: Int, _ question: ProbeFact.Question) -> Bool {
    if prober.now + freshAfter > min(prober.timeLimit, prober.end)
      || prober.requests + requests > options.maxRequests
    {
      facts.append(.unfinished(question, .budget))
      return false
    }
    return true
  }

  /// - Returns: the outcome of the requests whose client sent no malformed request before.
  mutating func receive(_ observations: [ProbeObservation]) -> [ProbeObservation] {
    if observations.contains(where: \.isLate) { wasLate = true }
    let base = step == .invalid || step == .invalidRest && client != nil ? [] : observations
    switch step {
    case .race: judgeRace(observations)
    case .invalid:
      invalidSince = observations.map(\.sent).min() ?? .infinity
      isEveryResponseKnown = observations.count == invalidSent && observations.allSatisfy { $0.status != 0 }
      step = .invalidRest
    case .invalidRest: judgeInvalid(observations)
    case .control:
      let isWhole = observations.count { $0.decision == .admitted } + max(1, invalidSent / 4) >= allowance
      tookAll = isWhole
      if !isWhole { facts.append(.unfinished(.countsFailed, .windowEnded)) }
      step = isWhole ? .invalid : .done
    case .done: break
    }
    return base
  }

  /// A race is an outcome that no order of decisions explains. This must be true for the largest allowance, the
  /// shortest window and every possible algorithm. A volley during which a window may have ended is repeated.
  private mutating func judgeRace(_ observations: [ProbeObservation]) {
    let admitted = observations.count { $0.decision == .admitted }
    let trace = LimitTrace(
      observations.map {
        LimitTrace.Request(
          sent: $0.sent, settled: $0.settled,
          role: $0.decision == .admitted ? .certain : $0.decision == .refused ? .refused : .possible)
      })
    let most = extremes.allowance
    let terms = LimitTerms(allowance: most, window: extremes.window, tick: options.tick)
    let possible = posterior?.shares.filter { $0.share > 1e-3 }.map(\.hypothesis.algorithm) ?? [algorithm]
    let isExcess = possible.allSatisfy { LimitCheck.rule(for: $0)?.overAdmits(trace, terms) != nil }
    let span = (observations.map(\.settled).max() ?? 0) - (observations.map(\.sent).min() ?? 0)
    // Buckets and sliding counters free quota during the volley.
    let returned = Int(saturating: span / terms.window * Double(most))
    if !isExcess, admitted > most + returned, attemptsUsed + 1 < Self.attempts {
      attemptsUsed += 1
      return
    }
    let trials = observations.count - most - returned
    if !isExcess, admitted > most + returned {
      facts.append(.unfinished(.race, wasLate ? .late : .windowEnded))
    } else if !isExcess, trials <= 0 {
      facts.append(.unfinished(.race, .volleyTooSmall))
    } else {
      facts.append(
        .race(
          excess: isExcess ? max(1, admitted - most) : 0, volley: observations.count,
          trials: max(trials, observations.count - allowance)))
    }
    (step, wasLate, attemptsUsed) = (.invalid, false, 0)
  }

  /// Determines if the malformed requests used their number from the quota, or nothing. It decides only if no quota can
  /// have been freed meanwhile, and one of both fits. If an aligned window ends in between, they seem to use nothing:
  /// that is tested twice.
  private mutating func judgeInvalid(_ observations: [ProbeObservation]) {
    isEveryResponseKnown = isEveryResponseKnown && observations.allSatisfy { $0.decision != .unknown }
    let admitted = observations.count { $0.decision == .admitted }
    let took = (observations.map(\.settled).max() ?? 0) - invalidSince
    let returned = [.tokenBucket, .slidingCounter].contains(algorithm) ? took * Double(allowance) / window : 0
    let isClear =
      took < 0.9 * window && 2 * returned + 2 < Double(invalidSent) && admitted <= allowance + Int(returned + 1)
      && observations.contains { $0.decision == .refused }
    let counts = 2 * (Double(allowance) + returned / 2 - Double(admitted)) > Double(invalidSent)
    // The used quota is at least the missing admissions, and at most those plus the freed quota.
    let expected = Double(counts ? invalidSent : 0) - Double(allowance - admitted)
    let isNear = max(expected - returned, -expected) <= max(1, Double(invalidSent) / 4)
    guard isEveryResponseKnown, isNear, isClear || algorithm == .tokenBucket && Double(invalidSent) > 2 * returned
    else {
      attemptsUsed += 1
      step = .invalid
      if attemptsUsed >= Self.attempts {
        facts.append(.unfinished(.countsFailed, wasLate ? .late : .windowEnded))
        step = .done
      }
      return
    }
    if algorithm == .fixedAligned, !counts, !tookNothing, !tookAll {
      (tookNothing, step) = (true, .invalid)
      return
    }
    if counts, !tookAll {
      step = .control
      return
    }
    // Another limit that sometimes uses quota is not their effect.
    facts.append(
      tookAll && !counts ? .unfinished(.countsFailed, .windowEnded) : .countsFailed(counts, trials: invalidSent))
    step = .done
  }

  func write(into report: inout ProbeReport) {
    for fact in facts {
      if case .race(let excess, _, _) = fact { report.raceExcess = max(excess, report.raceExcess ?? 0) }
      if case .countsFailed(let counts, _) = fact { report.countsFailed = counts }
      report.say(fact)
    }
  }
}
