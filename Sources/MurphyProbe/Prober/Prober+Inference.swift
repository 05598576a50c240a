import Foundation
import MurphyJudge
import MurphyModel

extension Prober {
  /// Evaluates the evidence and plans the next experiment; false if there is nothing more to learn.
  mutating func infer() -> Bool {
    guard var space else { return false }
    rounds += 1
    let decided = telling
    let evidence = ProbeEvidence(decided, candidates: candidates)
    var found = space.update(evidence)
    if found.isEmpty {
      // Evidence that is impossible under the declared terms may be possible under others.
      guard self.known != nil else {
        isExplained = false
        posterior = nil
        return false
      }
      relax()
      return infer()
    }
    found = ParticleFilter(decided).weigh(found)
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
  private func isOutdone(_ evidence: ProbeEvidence) -> Bool {
    guard let known, let posterior, needsTrial(posterior), isConfirmed(posterior), delays.worst <= Self.slowBurst
    else { return false }
    var space = newSpace(known: nil, release: release)
    guard let free = ProbePosterior(ParticleFilter(telling).weigh(space.update(evidence))) else { return false }
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
