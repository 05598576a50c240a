import MurphyJudge
import MurphyModel

/// The verification of a result for a black box.
///
/// A result that explains all observations may still be of an unknown kind. For example, a window that rejected
/// requests restart looks like a longer aligned one unless the client waits silently. So the result must predict a
/// schedule that varies supposedly irrelevant conditions. The schedule has a silent wait and then a request just before
/// the release. It also has a wait with rejected requests. After each wait the whole quota is requested.
extension Prober {
  private static let mostTrials = 3
  private static let mostRepeats = 4
  /// The maximum error of the predicted admissions during a sustained load, as a part of them.
  private static let sustainedError = 0.15

  /// The tested result, and whether all predictions were correct.
  struct Trial: Sendable {
    var hypothesis: ProbeHypothesis
    /// The likely limiters of that kind, after all decisions so far.
    var limiters: [LimiterModel]
    /// The remaining steps.
    var steps: Int
    var part: ProbeFact.TrialPart?
    /// The part after these steps; nil for none.
    var next: ProbeFact.TrialPart?
    /// The number of parts that were repeated, because a step was late and not as predicted.
    var repeats = 0
    /// True if this part will be repeated.
    var isRepeated = false
    /// During a sustained load: the admissions, and those that each limiter predicts.
    var sustained = 0
    var predicted: [Int] = []
    var stood = true
    /// True if a step of this part was sent or received late: it is then no evidence against the result.
    var wasLate = false
  }

  /// Compares the outcome of a step of the trial with the predictions of the tested limiters.
  mutating func judgeTrial(_ observations: [ProbeObservation]) {
    guard var running = trial, running.steps > 0 else { return }
    running.steps -= 1
    if observations.contains(where: \.isLate) { running.wasLate = true }
    let admitted = observations.count { $0.decision == .admitted }
    let isExpected =
      running.part == .sustained
      ? Self.sustains(&running, observations, admitted) : Self.predicts(&running, observations, admitted)
    if !isExpected {
      if running.wasLate, running.repeats < Self.mostRepeats, !running.isRepeated {
        (running.next, running.isRepeated) = (running.part, true)
        running.repeats += 1
      } else if !running.isRepeated {
        running.stood = false
      }
    }
    trial = running
  }

  /// True if some limiter on trial predicts the number of admissions.
  private static func predicts(_ running: inout Trial, _ observations: [ProbeObservation], _ admitted: Int) -> Bool {
    var foretold: [Int] = []
    for part in [0.1, 0.9, 0.5] {
      let moments = observations.map { $0.sent + part * $0.ride }.sorted()
      for index in running.limiters.indices {
        var limiter = running.limiters[index]
        foretold.append(moments.count { limiter.admits(at: $0) })
        if part == 0.5 { running.limiters[index] = limiter }
      }
    }
    let low = foretold.min() ?? 0
    let high = foretold.max() ?? 0
    let tolerance = tolerance(observations.count, high)
    return low - tolerance <= admitted && admitted <= high + tolerance
  }

  /// True if a limiter on trial predicts the admissions of a sustained load so far, after its first burst.
  private static func sustains(_ running: inout Trial, _ observations: [ProbeObservation], _ admitted: Int) -> Bool {
    let isFirst = running.predicted.isEmpty
    let moments = observations.map { ($0.sent + $0.settled) / 2 }.sorted()
    if isFirst { running.predicted = running.limiters.map { _ in 0 } }
    for index in running.limiters.indices {
      let own = moments.count { running.limiters[index].admits(at: $0) }
      if !isFirst { running.predicted[index] += own }
    }
    if !isFirst { running.sustained += admitted }
    let low = Double(running.predicted.min() ?? 0)
    let high = Double(running.predicted.max() ?? 0)
    let most = Double(observations.count + 1)
    return Double(running.sustained) >= low * (1 - sustainedError) - most
      && Double(running.sustained) <= high * (1 + sustainedError) + most
  }

  /// The maximum difference in admissions between a step and its prediction: delays reorder decisions.
  static func tolerance(_ count: Int, _ foretold: Int) -> Int { count == 1 ? 0 : max(1, foretold / 16) }

  /// True if no result passed its trial, and this machine was not late.
  var isUnknownKind: Bool { trials == Self.mostTrials && trial.map { !$0.stood && !$0.wasLate } == true }

  /// True if a result needs a trial. This applies to a black box, and to windows that begin at an unknown time. Under
  /// declared terms such a window explains the first release of any shorter one. A log that counts rejected requests
  /// explains some smaller quotas.
  func needsTrial(_ posterior: ProbePosterior) -> Bool {
    known == nil || [.aligned, .counter, .logCountingRefused].contains(posterior.best)
  }

  /// Plans the next part of the trial of the best result; false if it passed, or none is due.
  mutating func confirm() -> Bool {
    guard let posterior, needsTrial(posterior), posterior.shares[0].share >= options.confidence,
      !isConfirmed(posterior), trials < Self.mostTrials || isOnTrial(posterior)
    else { return false }
    // Each part uses the limiters that the earlier parts left.
    let limiters = limitersOnTrial(posterior.best)
    let walk = TrialWalk(limiters, of: posterior, now: now, spacing: options.spacing)
    let running = isOnTrial(posterior) ? trial : nil
    var part = running == nil ? .waits : running?.next
    var begun = part
    var steps: [ProbeDesign.Step] = []
    while let planned = part, steps.isEmpty {
      guard let own = walk.steps(of: planned) else { return false }
      // A declared limit needs only the first part: it also excludes the near wrong values.
      (steps, begun, part) = (own, planned, known == nil ? ProbeFact.TrialPart(rawValue: planned.rawValue + 1) : nil)
    }
    if running == nil { trials += 1 }
    trial = Trial(
      hypothesis: posterior.best, limiters: limiters.map(\.limiter), steps: steps.count, part: begun, next: part,
      repeats: running?.repeats ?? 0)
    pending = steps
    return !steps.isEmpty
  }

  /// True if the trial of this result has remaining parts, and all predictions were correct.
  private func isOnTrial(_ posterior: ProbePosterior) -> Bool {
    trial.map { $0.hypothesis == posterior.best && $0.stood && $0.steps == 0 } == true
  }

  /// True if this result passed the whole trial.
  func isConfirmed(_ posterior: ProbePosterior) -> Bool { isOnTrial(posterior) && trial?.next == nil }

  /// The first part of the trial that the result did not pass; nil for a declared limit.
  func missingPart(_ posterior: ProbePosterior) -> ProbeFact.TrialPart? {
    guard known == nil else { return nil }
    guard let trial, trial.hypothesis == posterior.best, trial.stood else { return .waits }
    return trial.steps > 0 ? trial.part : trial.next ?? trial.part
  }

  /// True if the result needs a trial that could not be planned. The remaining limiters predict different results of
  /// each schedule. More evidence leaves fewer limiters.
  func lacksTrial(_ posterior: ProbePosterior) -> Bool {
    needsTrial(posterior) && !isConfirmed(posterior)
      && (isOnTrial(posterior) ? rounds < 3 * Self.mostRounds : trials < Self.mostTrials && rounds < Self.mostRounds)
  }

  private func limitersOnTrial(_ hypothesis: ProbeHypothesis) -> [(limiter: LimiterModel, restarting: LimiterModel?)] {
    let particles = particles.filter { $0.hypothesis == hypothesis }
    let heaviest = particles.map(\.weight).max() ?? 0
    let moments = telling.filter(\.isCertain).map { ($0.sent + $0.settled) / 2 }.sorted()
    func now(_ limiter: LimiterModel) -> LimiterModel {
      var limiter = limiter
      for moment in moments { _ = limiter.admits(at: moment) }
      limiter.compact()
      return limiter
    }
    return particles.filter { $0.weight > 1e-3 * heaviest }.map { particle in
      let limiter = particle.limiter()
      return (now(limiter), limiter.restarting.map(now))
    }
  }
}

extension Prober {
  /// Evaluates the evidence and plans the next experiment; false if there is nothing more to learn.
  mutating func infer() -> Bool {
    guard var space else { return false }
    rounds += 1
    let evidence = evidence
    var found = space.update(evidence)
    if found.isEmpty {
      // Fresh clients may have other windows, or share a counter with other requests.
      if !others.isEmpty {
        others = [:]
        self.space = newSpace(known: known, release: release)
        return infer()
      }
      // Evidence that is impossible under the declared terms may be possible under others.
      guard self.known != nil else {
        isExplained = false
        posterior = nil
        return false
      }
      relax()
      return infer()
    }
    found = ParticleFilter(clients).weigh(found)
    self.space = space
    particles = found
    guard let posterior = ProbePosterior(found) else { return false }
    self.posterior = posterior
    if posterior.isSettled(confidence: options.confidence) {
      let failed = known != nil && trial.map { $0.steps == 0 && !$0.stood && !$0.wasLate } == true
      guard failed || contradictsDeclared(posterior.best) || isOutdone(evidence) else {
        return confirm() || lacksTrial(posterior) && experiment()
      }
      // The declared algorithm is excluded, or its predictions were wrong: the declared terms are no
      // longer trusted.
      relax()
      return infer()
    }
    // An undecided result justifies more rounds: late responses cost some.
    let isOpen =
      (posterior.shares[0].share < options.confidence || lacksTrial(posterior)) && rounds < 3 * Self.mostRounds
    if rounds >= Self.mostRounds && !isOpen { return confirm() }
    return experiment()
  }

  /// Plans the experiment that best distinguishes the remaining limiters; false if none does.
  private mutating func experiment() -> Bool {
    pending = ProbeDesign(particles, after: telling, now: now, spacing: options.spacing).best()
    return !pending.isEmpty
  }

  /// True if the declared terms are impossible, or the result within them is an algorithm other than the declared one.
  private func contradictsDeclared(_ best: ProbeHypothesis) -> Bool {
    guard known != nil, let declared = options.declared else { return false }
    let isOther = declared.algorithm != .any && (best.algorithm != declared.algorithm || best == .logCountingRefused)
    return isOther || contradiction(of: declared) != nil
  }

  /// True if other terms are likelier than the declared ones, after a result within these passed its trial. A decision
  /// at an unknown time changes no likelihood.
  private func isOutdone(_ evidence: [ProbeEvidence]) -> Bool {
    guard let known, let posterior, needsTrial(posterior), isConfirmed(posterior), delays.worst <= Self.slowBurst
    else { return false }
    var space = newSpace(known: nil, release: release)
    guard let free = ProbePosterior(ParticleFilter(clients).weigh(space.update(evidence))) else { return false }
    return free.window.high * 1.03 < known.window || known.window < free.window.low / 1.03
      || !free.possibleAllowances.contains(known.allowance)
  }

  /// Continues as a black box, with all evidence so far.
  private mutating func relax() {
    isRelaxed = true
    (rounds, trials, trial) = (0, 0, nil)
    space = newSpace(known: nil, release: release)
  }

  /// - Parameter release: a time at which the quota was used up, in seconds.
  func newSpace(known: (allowance: Int, window: Double)?, release: Double) -> VersionSpace {
    VersionSpace(firstBurst: firstBurst, known: known, release: release, longest: longestTried)
  }

  /// The longest tested window if none is known, in seconds.
  var longestTried: Double {
    max(VersionSpace.usualLongest, 1.2 * release, 2 * (options.declared?.window.inSeconds ?? 0))
  }
}
