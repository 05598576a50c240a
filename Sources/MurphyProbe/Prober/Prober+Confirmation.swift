import Foundation
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

  /// The tested result, and whether all predictions were correct.
  struct Trial: Sendable {
    var hypothesis: ProbeHypothesis
    /// The likely limiters of that kind, after all decisions so far.
    var limiters: [LimiterModel]
    /// The remaining steps.
    var steps: Int
    var stood = true
    /// True if a part was sent or received late: it is then no evidence against the result.
    var wasLate = false
  }

  /// Compares the outcome of a step of the trial with the predictions of the tested limiters.
  mutating func judgeTrial(_ observations: [ProbeObservation]) {
    guard var running = trial, running.steps > 0 else { return }
    running.steps -= 1
    if observations.contains(where: \.isLate) { running.wasLate = true }
    var foretold: [Int] = []
    for part in [0.1, 0.9, 0.5] {
      let moments = observations.map { $0.sent + part * $0.ride }.sorted()
      for index in running.limiters.indices {
        var limiter = running.limiters[index]
        foretold.append(moments.count { limiter.admits(at: $0) })
        if part == 0.5 { running.limiters[index] = limiter }
      }
    }
    let admitted = observations.count { $0.decision == .admitted }
    let low = foretold.min() ?? 0
    let high = foretold.max() ?? 0
    let tolerance = Self.tolerance(observations.count, high)
    if admitted < low - tolerance || admitted > high + tolerance { running.stood = false }
    trial = running
  }

  /// The maximum difference in admissions between a step and its prediction: delays reorder decisions.
  private static func tolerance(_ count: Int, _ foretold: Int) -> Int { count == 1 ? 0 : max(1, foretold / 16) }

  /// True if no result passed its trial, and this machine was not late.
  var isUnknownKind: Bool { trials == Self.mostTrials && trial.map { !$0.stood && !$0.wasLate } == true }

  /// True if a result needs a trial. This applies to a black box, and to windows that begin at an unknown time. Under
  /// declared terms such a window explains the first release of any shorter one. A log that counts rejected requests
  /// explains some smaller quotas.
  func needsTrial(_ posterior: ProbePosterior) -> Bool {
    known == nil || [.aligned, .counter, .logCountingRefused].contains(posterior.best)
  }

  /// Plans the trial of the best result; false if it passed, or none is due.
  mutating func confirm() -> Bool {
    guard let posterior, needsTrial(posterior), posterior.shares[0].share >= options.confidence,
      !isConfirmed(posterior), trials < Self.mostTrials
    else { return false }
    let limiters = limitersOnTrial(posterior.best)
    pending = schedule(posterior, limiters)
    guard !pending.isEmpty else { return false }
    trials += 1
    trial = Trial(hypothesis: posterior.best, limiters: limiters, steps: pending.count)
    return true
  }

  /// True if this result passed the whole trial.
  func isConfirmed(_ posterior: ProbePosterior) -> Bool {
    trial.map { $0.hypothesis == posterior.best && $0.stood && $0.steps == 0 } == true
  }

  /// True if the result needs a trial that could not be planned. The remaining limiters predict different results of
  /// each schedule. More evidence leaves fewer limiters.
  func lacksTrial(_ posterior: ProbePosterior) -> Bool {
    needsTrial(posterior) && !isConfirmed(posterior) && trials < Self.mostTrials && rounds < Self.mostRounds
  }

  private func limitersOnTrial(_ hypothesis: ProbeHypothesis) -> [LimiterModel] {
    let particles = particles.filter { $0.hypothesis == hypothesis }
    let heaviest = particles.map(\.weight).max() ?? 0
    let moments = telling.filter(\.isCertain).map { ($0.sent + $0.settled) / 2 }.sorted()
    return particles.filter { $0.weight > 1e-3 * heaviest }.map { particle in
      var limiter = particle.limiter()
      for moment in moments { _ = limiter.admits(at: moment) }
      limiter.compact()
      return limiter
    }
  }

  private func schedule(_ posterior: ProbePosterior, _ limiters: [LimiterModel]) -> [ProbeDesign.Step] {
    let window = posterior.window.high
    let allowance = posterior.possibleAllowances.upperBound
    let start = Walk(limiters: limiters, now: now, spacing: options.spacing)
    let full = ProbeDesign.Step(pause: 0, count: Int(saturating: Double(allowance) * 1.1) + 5, refusals: 3)
    // An aligned window is used up soon after it begins, so that the wait for its end is long.
    let begins = [0.02, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.05].map { part in
      var begun = start
      begun.schedule(full, after: part * window)
      return begun
    }
    // A schedule without a definite prediction is not a trial.
    let sharp = begins.filter { $0.isSharp }
    func worth(_ begun: Walk) -> Double { begun.wait.low - 0.25 * (begun.now - start.now) }
    guard var walk = sharp.max(by: { worth($0) < worth($1) }) else { return [] }
    let margin = max(0.02 * window, 0.05) + Double(full.count) * options.spacing
    walk.schedule(ProbeDesign.Step(pause: 0, count: 1, refusals: 1), after: 0.9 * walk.wait.low)
    walk.schedule(full, after: walk.wait.high + margin)
    let storm = allowance / 3 + 5
    walk.schedule(ProbeDesign.Step(pause: 0, count: storm, refusals: storm + 1), after: 0.002)
    walk.schedule(full, after: 0.5 * window)
    walk.schedule(full, after: walk.wait.high + margin)
    return walk.steps
  }

  /// A schedule with the predictions of the likely limiters.
  private struct Walk {
    var limiters: [LimiterModel]
    var now: Double
    let spacing: Double
    var steps: [ProbeDesign.Step] = []
    /// True if all limiters predict the same outcome of each step.
    var isSharp = true
    /// The approximate time from the end of a step until its responses are received, in seconds.
    private static let answered = 0.03

    /// Seconds until the first and until the last of them admits again.
    var wait: (low: Double, high: Double) {
      let waits = limiters.map { max(0, $0.release(after: now) - now) }
      return (waits.min() ?? 0, waits.max() ?? 0)
    }

    mutating func schedule(_ step: ProbeDesign.Step, after pause: Double) {
      var step = step
      step.pause = max(0.002, pause - (steps.isEmpty ? 0 : Self.answered))
      now += pause
      var end = now
      var admitted: [Int] = []
      for index in limiters.indices {
        var count = 0
        var refusals = 0
        var moment = now
        for _ in 0..<step.count where refusals < step.refusals {
          if limiters[index].admits(at: moment) { count += 1 } else { refusals += 1 }
          moment += spacing
        }
        admitted.append(count)
        end = max(end, moment)
      }
      now = end
      let low = admitted.min() ?? 0
      let high = admitted.max() ?? 0
      if high - low > 2 * Prober.tolerance(step.count, high) { isSharp = false }
      steps.append(step)
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
    let isOpen = posterior.shares[0].share < options.confidence && rounds < 3 * Self.mostRounds
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
