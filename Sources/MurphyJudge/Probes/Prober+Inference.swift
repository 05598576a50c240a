import Foundation
import MurphyModel

extension Prober {
  /// Takes stock and plans the next experiment; false when there is nothing more to learn.
  mutating func infer() -> Bool {
    guard var space else { return false }
    rounds += 1
    let evidence = ProbeEvidence(decided, candidates: candidates)
    var found = space.update(evidence, bracket: bracket)
    if found.isEmpty {
      resets += 1
      if resets > 2 {
        guard known != nil else {
          posterior = nil
          return false
        }
        isRelaxed = true
        resets = 0
      }
      // A delay beyond the rule may have driven out the truth: begin again with all evidence.
      self.space = VersionSpace(firstBurst: firstBurst, known: known)
      return infer()
    }
    found = ParticleFilter(decided).weigh(found)
    narrow(&space, to: found)
    self.space = space
    particles = found
    guard let posterior = ProbePosterior(found) else { return false }
    self.posterior = posterior
    if posterior.isSettled(confidence: options.confidence) {
      guard contradictsDeclared(posterior.best) else { return false }
      // The declared algorithm is out of the question, and with it the reason to believe the declared terms.
      relax()
      return infer()
    }
    // Experiments with a quick bucket take no time: it is worth going on while the answer is open.
    let isOpen = posterior.shares[0].share < 0.95 && rounds < 3 * Self.mostRounds
    if rounds >= Self.mostRounds && !isOpen { return false }
    pending = ProbeDesign(found, after: decided, now: now, spacing: options.spacing).best()
    return !pending.isEmpty
  }

  /// Whether the answer within the declared terms is another algorithm than the declared one.
  private func contradictsDeclared(_ best: ProbeHypothesis) -> Bool {
    guard known != nil, let declared = options.declared, declared.algorithm != .any else { return false }
    return best.algorithm != declared.algorithm || best == .logCountingRefused
  }

  /// From here on a black box, with all evidence until now.
  private mutating func relax() {
    isRelaxed = true
    resets = 0
    rounds = 0
    space = VersionSpace(firstBurst: firstBurst, known: nil)
  }

  /// Leaves out what the filter has made improbable, with one step of the grid to spare.
  private func narrow(_ space: inout VersionSpace, to particles: [ProbeParticle]) {
    for hypothesis in space.alive {
      let group = particles.filter { $0.hypothesis == hypothesis }
      let total = group.reduce(0) { $0 + $1.weight }
      guard let most = group.map(\.weight).max(), total >= 1e-5 else {
        if rounds >= 2 { space.alive.remove(hypothesis) }
        continue
      }
      let likely = group.filter { $0.weight > 2e-3 * most }.map(\.scale)
      let range = space.ranges[hypothesis]!
      let step = pow(range.high / range.low, 1 / (hypothesis == .bucket ? 60.0 : 18.0))
      space.ranges[hypothesis] = (
        max(range.low, likely.min()! / step), min(range.high, likely.max()! * step)
      )
    }
  }

  /// Writes the answer down and goes on to the follow-up questions.
  mutating func conclude() {
    guard let posterior else {
      report.outcome = resets > 2 ? .unexplained : .unfinished
      report.sentences.append(
        resets > 2
          ? "None of the six kinds of limiter explains what was admitted: several limiters at once, or requests of others on the same key."
          : "Too little was seen to tell.")
      compareWithDeclared()
      stage = .finished
      return
    }
    let best = posterior.best
    report.candidates = posterior.shares.prefix(3).map {
      ProbeReport.Candidate(algorithm: $0.hypothesis.text, probability: ($0.share * 1000).rounded() / 1000)
    }
    if report.candidates.count == 1, let second = ProbeHypothesis.allCases.first(where: { $0 != best }) {
      report.candidates.append(ProbeReport.Candidate(algorithm: second.text, probability: 0))
    }
    report.outcome = posterior.shares[0].share >= 0.9 ? .identified : .ambiguous
    report.allowance = ProbeReport.Estimate(
      low: Double(posterior.allowance.low), value: Double(posterior.allowance.middle),
      high: Double(posterior.allowance.high))
    report.window = ProbeReport.Estimate(
      low: posterior.window.low, value: posterior.window.middle, high: posterior.window.high)
    report.rate = Double(posterior.allowance.middle) / posterior.window.middle
    if best == .log || best == .logCountingRefused { report.countsRefused = best == .logCountingRefused }
    report.isVerified = verify(posterior)
    describe(posterior)
    stage = .keys(FollowUps(self))
  }

  /// Whether the sound rules accept the answer for some window within 2 %.
  private func verify(_ posterior: ProbePosterior) -> Bool {
    let trace = LimitTrace(
      decided.map {
        LimitTrace.Request(sent: $0.sent, settled: $0.settled, role: $0.admitted ? .certain : .refused)
      }, refusedMayCount: posterior.best == .logCountingRefused)
    return (-4...4).contains { step in
      let window = posterior.window.middle * (1 + Double(step) * 0.005)
      let terms = LimitTerms(allowance: posterior.allowance.middle, window: window, tick: 0.001)
      return LimitCheck.outcome(of: trace, algorithm: posterior.best.algorithm, terms: terms).isConsistent
    }
  }

  private mutating func describe(_ posterior: ProbePosterior) {
    let shares = posterior.shares
    let sure = percent(shares[0].share)
    let other = shares.count > 1 ? "\(shares[1].hypothesis.text) \(percent(shares[1].share))" : "nothing else"
    let amount: String
    if posterior.best == .bucket {
      amount = "burst \(posterior.allowance.middle), then \(number(1 / posterior.interval))/s"
    } else {
      amount =
        "\(range(Double(posterior.allowance.low), Double(posterior.allowance.middle), Double(posterior.allowance.high))) per "
        + "\(range(posterior.window.low, posterior.window.middle, posterior.window.high)) s"
    }
    report.sentences.append(
      "\(operation): \(posterior.best.text), \(amount); \(sure) sure, the runner-up is \(other)\(report.isVerified ? "" : "; the verifier does not accept it, so take it with care")."
    )
    compareWithDeclared()
  }

  /// What the sound rules say about the declaration, on all that was sent; and whether the answer found is the same.
  private mutating func compareWithDeclared() {
    guard let declared = options.declared else { return }
    let trace = LimitTrace(
      decided.map {
        LimitTrace.Request(sent: $0.sent, settled: $0.settled, role: $0.admitted ? .certain : .refused)
      }, refusedMayCount: true)
    let terms = LimitTerms(allowance: declared.allowance, window: declared.window.inSeconds, tick: 0.001)
    if LimitCheck.excess(trace, declared.algorithm, terms) != nil {
      report.agreesWithDeclared = false
      report.sentences.append(
        "Declared is \(declared.text), and more was admitted than that allows: \(firstBurst) in the first burst.")
      return
    }
    if let posterior {
      guard declared.algorithm == .any || posterior.shares[0].share >= 0.9 else {
        report.sentences.append("Declared is \(declared.text): nothing contradicts it, and it is not decided yet.")
        return
      }
      let sameAlgorithm = declared.algorithm == .any || declared.algorithm == posterior.best.algorithm
      let agrees =
        sameAlgorithm && posterior.allowance.middle == declared.allowance
        && (posterior.window.middle / declared.window.inSeconds - 1).magnitude <= 0.03
      report.agreesWithDeclared = agrees
      report.sentences.append(
        agrees
          ? "That is what is declared: \(declared.text)." : "Declared is \(declared.text): that is not what it does.")
    }
  }

  private func percent(_ share: Double) -> String {
    share > 0.999 ? "99.9 %" : share < 0.001 ? "below 0.1 %" : "\((share * 1000).rounded() / 10) %"
  }

  private func range(_ low: Double, _ value: Double, _ high: Double) -> String {
    high - low <= 0.02 * value ? number(value) : "\(number(low))…\(number(high))"
  }

  private func number(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
