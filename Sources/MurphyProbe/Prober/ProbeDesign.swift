import MurphyJudge

/// Chooses the next experiment. It is the schedule with outcomes that differ most between the possible limiters,
/// relative to its time and requests.
///
///     score = Σ over pairs w·w'·[outcomes differ] / (duration / E[window] + 0.8 + 0.3 · requests / L)
struct ProbeDesign {
  /// A pause and then a burst that ends after some rejections.
  struct Step: Sendable {
    var pause: Double
    var count: Int
    var refusals: Int

    static let single = Step(pause: 0, count: 1, refusals: 1)
  }

  private struct Candidate {
    var particle: ProbeParticle
    var weight: Double
    var limiter: LimiterModel
  }

  private let now: Double
  private let spacing: Double
  /// The time from a request's send to the limiter's decision, on an idle and on a busy machine. An experiment must
  /// distinguish limiters in both cases.
  private let delays: [Double]
  private var candidates: [Candidate] = []
  /// Sliding counters whose windows restart after silence. No experiment lets them, if most candidates are counters.
  private var restarting: [LimiterModel] = []

  init(_ particles: [ProbeParticle], after all: [ProbeEvidence.Decided], now: Double, spacing: Double) {
    let requests = all.filter(\.isCertain)
    self.now = now
    self.spacing = spacing
    let rides = requests.suffix(200).map { $0.settled - $0.sent }.sorted()
    let usual = rides.isEmpty ? 0.01 : rides[rides.count / 2] / 2
    let long = rides.isEmpty ? 0.02 : rides[rides.count * 9 / 10]
    delays = [usual, max(long, 2 * usual)]
    let moments = requests.map { ($0.sent + $0.settled) / 2 }.sorted()
    for hypothesis in ProbeHypothesis.allCases {
      let group = particles.filter { $0.hypothesis == hypothesis }.sorted { $0.window < $1.window }
      let total = group.reduce(0) { $0 + $1.weight }
      guard total >= 1e-3 else { continue }
      let count = max(2, min(8, Int(saturating: (12 * total).rounded())))
      var sum = 0.0
      var chosen = 0
      for particle in group {
        sum += particle.weight / total
        while chosen < count, sum >= (Double(chosen) + 0.5) / Double(count) {
          var limiter = particle.limiter()
          for moment in moments { _ = limiter.admits(at: moment) }
          limiter.compact()
          if hypothesis == .counter, total > 0.5, var other = particle.limiter().restarting {
            for moment in moments { _ = other.admits(at: moment) }
            if limiter.isInPhase(with: other) { restarting.append(other) }
          }
          candidates.append(Candidate(particle: particle, weight: total / Double(count), limiter: limiter))
          chosen += 1
        }
      }
    }
  }

  func best() -> [Step] {
    guard !candidates.isEmpty else { return [] }
    let expected = candidates.reduce(0) { $0 + $1.particle.window * $1.weight }
    let largest =
      candidates.filter { $0.weight > 0.01 }.map(\.particle.allowance).max() ?? candidates[0].particle.allowance
    var best: (score: Double, steps: [Step])?
    for steps in schedules(largest: largest) where !restarts(steps) {
      let outcomes = candidates.map { outcome($0.limiter, steps, delays[0]) }
      let late = candidates.map { outcome($0.limiter, steps, delays[1]) }
      var duration = 0.0
      for (index, candidate) in candidates.enumerated() { duration += outcomes[index].duration * candidate.weight }
      var requests = 0.0
      for (step, plan) in steps.enumerated() {
        var admitted = 3.0
        for (index, candidate) in candidates.enumerated() {
          admitted += Double(outcomes[index].admitted[step]) * candidate.weight
        }
        requests += min(Double(plan.count), admitted)
      }
      var gain = 0.0
      for i in candidates.indices {
        for j in 0..<i
        where differ(outcomes[i].admitted, outcomes[j].admitted) && differ(late[i].admitted, late[j].admitted)
          && differ(outcomes[i].admitted, late[j].admitted) && differ(late[i].admitted, outcomes[j].admitted)
        {
          gain += candidates[i].weight * candidates[j].weight * worth(candidates[i].particle, candidates[j].particle)
        }
      }
      let score = gain / (duration / expected + 0.8 + 0.3 * requests / Double(max(largest, 1)))
      if score > best?.score ?? -1 { best = (score, steps) }
    }
    return best?.steps ?? []
  }

  /// A distinction between algorithms counts fully, one between windows of one algorithm half, and a tiny difference
  /// hardly.
  private func worth(_ left: ProbeParticle, _ right: ProbeParticle) -> Double {
    if left.hypothesis != right.hypothesis { return 1 }
    let apart = (left.window / right.window - 1).magnitude
    if apart <= 0.004 { return left.allowance == right.allowance ? 0 : 0.3 }
    return apart > 0.015 ? 0.5 : 0.05
  }

  private func differ(_ left: [Int], _ right: [Int]) -> Bool {
    for index in left.indices {
      let apart = Double((left[index] - right[index]).magnitude)
      if apart > max(0.5, 0.03 * Double(max(left[index], right[index]))) { return true }
    }
    return false
  }

  /// True if windows of sliding counters may restart in these steps. Their times would then prove nothing.
  private func restarts(_ steps: [Step]) -> Bool {
    restarting.contains { outcome($0, steps, delays[1]).phase != $0.counterPhase }
  }

  private func outcome(
    _ limiter: LimiterModel, _ steps: [Step], _ delay: Double
  ) -> (admitted: [Int], duration: Double, phase: Double?) {
    var limiter = limiter
    var moment = now
    var admitted: [Int] = []
    for step in steps {
      moment += step.pause
      var count = 0
      var refusals = 0
      var sent = 0
      while sent < step.count {
        if limiter.admits(at: moment + delay + Double(sent) * spacing) { count += 1 } else { refusals += 1 }
        if refusals >= step.refusals { break }
        sent += 1
      }
      moment += Double(sent) * spacing + 0.03
      admitted.append(count)
    }
    return (admitted, moment - now, limiter.counterPhase)
  }

  private func schedules(largest: Int) -> [[Step]] {
    let full = Int(saturating: Double(largest) * 1.1) + 5
    let half = max(1, (candidates.map(\.particle.allowance).min() ?? 2) / 2)
    var schedules: [[Step]] = []
    // Single polls at quantiles of the predicted release, with or without a burst after them.
    let releases = candidates.map {
      (value: max($0.limiter.release(after: now), now + 0.004) - now, weight: $0.weight)
    }.sorted { $0.value < $1.value }
    for quantiles in [[0.5], [0.34, 0.67], [0.2, 0.4, 0.6, 0.8], [0.1, 0.25, 0.4, 0.55, 0.7, 0.85]] {
      var moments: [Double] = []
      for moment in quantiles.map({ quantile($0, of: releases) })
      where moments.isEmpty || moment - moments[moments.count - 1] > 0.06 {
        moments.append(moment)
      }
      var steps = [Step(pause: max(0.002, moments[0] - 0.01), count: 1, refusals: 1)]
      for (last, next) in zip(moments, moments.dropFirst()) {
        steps.append(Step(pause: max(0.002, next - last - 0.03), count: 1, refusals: 1))
      }
      schedules.append(steps)
      schedules.append(steps + [Step(pause: 0, count: full, refusals: 3)])
    }
    let windows = Set(candidates.map { ($0.particle.window * 1e4).rounded() / 1e4 }).sorted()
    let chosen = [
      windows[windows.count / 4], windows[windows.count / 2], windows[windows.count - 1 - windows.count / 4],
    ]
    for window in Set(chosen).sorted() {
      for idle in [0.5, 1.03, 1.5, 2.2] {
        schedules.append([Step(pause: idle * window, count: full, refusals: 3)])
      }
      for idle in [1.05, 1.6] {
        for wait in [0.3, 0.6] {
          let rest = (1 - wait) * window * 0.5
          schedules.append([
            Step(pause: idle * window, count: half, refusals: half + 1),
            Step(pause: wait * window, count: full, refusals: 3), Step(pause: max(0.02, rest), count: 1, refusals: 1),
            Step(pause: rest + 0.03, count: 1, refusals: 1), Step(pause: 0, count: full, refusals: 3),
          ])
        }
      }
    }
    return schedules
  }
}
