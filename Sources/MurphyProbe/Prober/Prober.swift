import MurphyJudge
import MurphyModel

/// Identifies a limiter with as few requests as possible: a state machine without a clock or a network.
///
/// A driver calls ``next()`` for a volley, sends it no earlier than its time, and passes the outcome to
/// ``receive(_:)``. When ``next()`` returns nil, ``report`` contains the result. The stages are those of
/// docs/rate-limits.md §3.2. First the quota is exhausted, then the key is determined, then the first release is
/// polled. Then ``ProbeDesign`` chooses experiments until one hypothesis is left. The questions about races and failed
/// requests come last.
package struct Prober: Sendable {
  enum Stage {
    case exhaust
    /// The burst had no rejection: this many more requests are sent in sequence.
    case alone(left: Int, refused: Int)
    case keys(KeyQuestions)
    case poll(pause: Double)
    case refill
    case schedule([ProbeVolley])
    case experiment
    case closing(FollowUps)
    case finished
  }

  /// The `operationId` of the probed operation.
  package let operation: String
  /// The declared terms, and the limits of the probe.
  package let options: ProbeOptions
  /// `options.time`. Like all numbers of the prober's model, it is in seconds on its clock.
  let timeLimit: Double
  var stage = Stage.exhaust
  /// The base client's requests.
  var decided: [ProbeEvidence.Decided] = []
  /// The requests of each fresh client, by its number. Its counter contains no other request.
  var others: [Int: [ProbeEvidence.Decided]] = [:]
  /// The client of the last volley; nil for the base client.
  var client: ProbeVariant?
  var fresh = FreshClients()
  /// The number of schedules of fresh clients after the first one.
  var schedules = 0
  /// All requests with a known decision; those of other clients are uncertain. Other limits may have counted them.
  var everything: [ProbeEvidence.Decided] = []
  /// The latest known time.
  var now = 0.0
  var requests = 0
  /// The number of bursts until one was rejected.
  var bursts = 0
  /// The wait before the first burst.
  var exhaustPause = 0.0
  /// The interval between the responses of a burst that seemed to be queued.
  var earlierShaping: ProbeReport.Estimate?
  /// True if no request was counted during one window before the judged requests.
  var startsQuiet: Bool
  var firstBurst = 0
  /// Without a declaration: the size of the next first burst, and the admissions of the smaller ones before it.
  var burstSize = Prober.smallestBurst
  var admittedBefore = 0
  /// The longest response time of the first burst.
  var firstBurstRide = 0.0
  /// The largest number of admissions in one volley of the base client.
  var largestBurst = 0
  var firstBurstEnd = 0.0
  var keysEnd = 0.0
  var experimentsDone = 0.0
  var lastRefusalSent = 0.0
  var bracket: (low: Double, high: Double)?
  var candidates: Set<Int> = []
  var space: VersionSpace?
  var rounds = 0
  /// True if some kind of limiter is still possible.
  var isExplained = true
  var pending: [ProbeDesign.Step] = []
  /// The last trial of a result for a black box, and the number of trials.
  var trial: Trial?
  var trials = 0
  var particles: [ProbeParticle] = []
  var posterior: ProbePosterior?
  var serverErrors = 0
  var retryAfter: Double?
  /// The longest delays of this machine and of the responses.
  var delays = ProbeFact.Delays()
  /// The announced latest end of the probe: it is never postponed.
  var announcedEnd = Double.infinity
  /// The result so far; complete when ``next()`` returns nil.
  package internal(set) var report: ProbeReport

  /// The number of rejections after which a burst stops.
  static let exhaustingRefusals = 5
  static let longestBurst = 1500
  static let smallestBurst = 128
  static let mostRounds = 16

  package init(operation: String, options: ProbeOptions) {
    self.operation = operation
    self.options = options
    timeLimit = options.time.inSeconds
    startsQuiet = options.startsQuiet
    report = ProbeReport(operation: operation, outcome: .unfinished)
    report.declared = options.declared?.text
  }

  /// The declaration is impossible: the rest is a black box.
  var isRelaxed = false

  var known: (allowance: Int, window: Double)? {
    isRelaxed || options.isWindowTooLong ? nil : options.declared.map { ($0.allowance, $0.window.inSeconds) }
  }

  /// A time at which the quota was used up: the first release, or the end of the first burst.
  var release: Double { bracket?.high ?? firstBurstEnd }

  /// The next volley to send, or nil when the probe is over.
  package mutating func next() -> ProbeVolley? {
    guard serverErrors < 3 else { return stop(.unfinished, .ended(.serverErrors(serverErrors))) }
    announcedEnd = end
    while true {
      switch stage {
      case .exhaust:
        let most = options.declared.map { Int(saturating: Double($0.allowance) * 2.2) + 20 } ?? burstSize
        return burst(pause: exhaustPause, count: most, refusals: Self.exhaustingRefusals)
      case .alone(let left, _):
        if let volley = nextAlone(left) { return volley }
        if case .alone = stage { concludeUnlimited() }
      case .keys(var questions):
        if now > end { questions.giveUp() }
        if let volley = questions.next(self) {
          stage = .keys(questions)
          return limited(volley)
        }
        finishKeys(questions)
      case .poll(let pause):
        let at = max(now + 0.001, firstBurstEnd + pause)
        if at > timeLimit {
          guard !decided.contains(where: { $0.isCertain && $0.admitted && $0.sent > firstBurstEnd }) else {
            return stop(.unfinished, .ended(.timeUsedUp))
          }
          return stop(
            .unfinished,
            .ended(
              .windowTooLong(
                burst: firstBurst, waited: now - firstBurstEnd, retryAfter: retryAfter, allowed: timeLimit)))
        }
        return volley(at: at, requests: [.base], refusals: nil)
      case .refill:
        return burst(pause: 0.001, count: firstBurst + 20, refusals: 4)
      case .schedule(var volleys):
        guard let volley = volleys.first else {
          stage = .experiment
          continue
        }
        volleys.removeFirst()
        stage = .schedule(volleys)
        return limited(volley, notBefore: now + 0.001)
      case .experiment:
        if let step = pending.first {
          pending.removeFirst()
          if now + step.pause > experimentsEnd {
            conclude()
            report.say(.unfinished(.experiment, .budget))
            continue
          }
          return step.count == 1
            ? volley(at: now + max(step.pause, 0.001), requests: [.base], refusals: nil)
            : burst(pause: max(step.pause, 0.001), count: step.count, refusals: step.refusals)
        }
        if !infer() {
          if let volleys = nextSchedule() { stage = .schedule(volleys) } else { conclude() }
        }
      case .closing(var followUps):
        if let volley = followUps.next(self) {
          stage = .closing(followUps)
          return limited(volley)
        }
        followUps.write(into: &report)
        compareAgain()
        finish()
      case .finished: return nil
      }
    }
  }

  /// Adds the results of the key questions to the evidence; then the window is measured, unless that takes too long.
  private mutating func finishKeys(_ questions: KeyQuestions) {
    questions.write(into: &report)
    decided += questions.counted
    keysEnd = now
    fresh = FreshClients(by: freshDimension)
    let isWorthWaiting = retryAfter.map { now + 2 * $0 <= timeLimit } ?? false
    if options.isQuick || isContradictedEarly || options.isWindowTooLong && !isWorthWaiting {
      concludePartially()
    } else {
      stage = known == nil ? .poll(pause: max(0.004, now - firstBurstEnd)) : .schedule(windowSchedule())
    }
  }

  /// The outcome of the last volley, in any order; requests that were never sent are omitted.
  package mutating func receive(_ observations: [ProbeObservation]) {
    requests += observations.count
    now = max(now, observations.map(\.settled).max() ?? now)
    delays.record(observations)
    for observation in observations {
      serverErrors = observation.status >= 500 && observation.decision != .refused ? serverErrors + 1 : 0
      if let wait = observation.retryAfter { retryAfter = wait }
    }
    if case .closing(var followUps) = stage {
      let base = followUps.receive(observations)
      record(observations, own: base)
      add(base)
      largestBurst = max(largestBurst, base.count { $0.decision == .admitted })
      stage = .closing(followUps)
      return
    }
    var own = observations
    if case .keys(var questions) = stage {
      own = questions.receive(observations)
      stage = .keys(questions)
    }
    record(observations, own: own)
    let known = own.filter { $0.decision != .unknown }
    add(own)
    learn(known)
  }

  /// Evaluates the base client's requests of the last volley for the current stage.
  private mutating func learn(_ known: [ProbeObservation]) {
    let admitted = known.count { $0.decision == .admitted }
    largestBurst = max(largestBurst, admitted)
    switch stage {
    case .exhaust: learnFirstBurst(known, admitted)
    case .alone(let left, let refused): learnAlone(known.first, left: left, refused: refused)
    case .keys:
      if let last = known.filter({ $0.decision == .refused }).map(\.sent).max() { lastRefusalSent = last }
      if known.count > 8, admitted > 0 { candidates.insert(admitted) }
    case .poll(let pause):
      guard let observation = known.first else { return }
      if observation.decision == .admitted {
        bracket = (lastRefusalSent, now)
        space = newSpace(known: self.known, release: now)
        stage = .refill
      } else {
        lastRefusalSent = observation.sent
        stage = .poll(pause: pause * 1.6)
      }
    case .refill:
      candidates.insert(admitted + 1)
      stage = .experiment
    case .experiment:
      if known.count > 1 { candidates.insert(admitted) }
      judgeTrial(known)
    case .schedule, .closing, .finished: break
    }
  }
}

extension Prober {
  mutating func burst(pause: Double, count: Int, refusals: Int) -> ProbeVolley? {
    volley(at: now + pause, requests: ProbeRequest.burst(count), refusals: refusals)
  }

  mutating func volley(at moment: Double, requests: [ProbeRequest], refusals: Int?) -> ProbeVolley? {
    limited(ProbeVolley(at: moment, spacing: options.spacing, requests: requests, stopsAfterRefusals: refusals))
  }

  /// Reduces a volley to the remaining requests; if there are none, ends the probe and returns nil.
  mutating func limited(_ volley: ProbeVolley, notBefore earliest: Double = 0) -> ProbeVolley? {
    let left = options.maxRequests - requests
    guard left > 0 else { return stop(.unfinished, .ended(.requestsUsedUp(options.maxRequests))) }
    var volley = volley
    volley.at = max(volley.at, earliest)
    client = volley.requests.first?.client
    if volley.requests.count > left { volley.requests.removeLast(volley.requests.count - left) }
    return volley
  }

  /// Ends the probe with the facts so far. Always nil, so that it can be returned instead of a volley.
  mutating func stop(_ outcome: ProbeReport.End, _ fact: ProbeFact) -> ProbeVolley? {
    switch stage {
    case .finished: return nil
    case .keys(let questions): questions.write(into: &report)
    case .closing(let followUps): followUps.write(into: &report)
    case .poll, .refill, .schedule, .experiment:
      if posterior != nil { conclude() }
    case .exhaust, .alone: break
    }
    if report.outcome == .unfinished { report.outcome = outcome }
    report.say(fact)
    finish()
    return nil
  }

  mutating func finish() {
    if delays.bursts > 0 { report.say(.late(delays)) }
    report.requests = requests
    report.trials = report.outcome == .shaping ? decided.count(where: \.isCertain) : contradictable
    report.duration = .saturating(seconds: now)
    stage = .finished
  }

  /// Requests that another limiter would have decided otherwise: rejected ones, and those after one.
  var contradictable: Int {
    clients.reduce(0) { sum, requests in
      guard let first = requests.lazy.filter({ $0.isCertain && !$0.admitted }).map(\.settled).min() else { return sum }
      return sum + requests.count { $0.isCertain && (!$0.admitted || $0.sent > first) }
    }
  }

  /// Ends the probe early; the report contains the facts so far.
  package mutating func interrupt(_ ending: ProbeFact.Ending = .byUser) { _ = stop(.unfinished, .ended(ending)) }
}
