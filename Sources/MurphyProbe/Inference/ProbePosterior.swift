import MurphyJudge
import MurphyModel

/// The summary of the particles: the hypothesis, and its allowance and window.
struct ProbePosterior {
  let shares: [(hypothesis: ProbeHypothesis, share: Double)]
  let allowance: (low: Int, middle: Int, high: Int)
  /// All allowances that are not improbable under the best hypothesis.
  let possibleAllowances: ClosedRange<Int>
  let window: (low: Double, middle: Double, high: Double)
  /// The time for one token of a bucket.
  let interval: Double

  init?(_ particles: [ProbeParticle]) {
    var sums: [ProbeHypothesis: Double] = [:]
    for particle in particles { sums[particle.hypothesis, default: 0] += particle.weight }
    shares = sums.sorted { ($0.value, $1.key.rawValue) > ($1.value, $0.key.rawValue) }
      .map { (hypothesis: $0.key, share: $0.value) }
    guard let best = shares.first?.hypothesis else { return nil }
    let of = particles.filter { $0.hypothesis == best }
    func quantiles(_ value: (ProbeParticle) -> Double) -> (Double, Double, Double) {
      let sorted = of.map { (value: value($0), weight: $0.weight) }.sorted { $0.value < $1.value }
      return (quantile(0.05, of: sorted), quantile(0.5, of: sorted), quantile(0.95, of: sorted))
    }
    let allowances = quantiles { Double($0.allowance) }
    allowance = (Int(allowances.0), Int(allowances.1), Int(allowances.2))
    let likely = of.filter { $0.weight > 1e-3 * (of.map(\.weight).max() ?? 0) }.map(\.allowance)
    possibleAllowances = min(likely.min() ?? allowance.low, allowance.low)...max(likely.max() ?? 0, allowance.high)
    window = quantiles { $0.window }
    interval = quantiles { $0.window / Double($0.allowance) }.1
  }

  var best: ProbeHypothesis { shares[0].hypothesis }

  /// True if further questions are not worthwhile.
  func isSettled(confidence: Double) -> Bool {
    shares[0].share >= confidence && window.high / window.low < 1.039
      && Double(allowance.high - allowance.low) <= 0.02 * Double(allowance.middle)
  }
}

/// The six kinds of limiter that a probe distinguishes.
package enum ProbeHypothesis: Int, Sendable, CaseIterable, Hashable {
  case aligned, fixed, log, logCountingRefused, counter, bucket

  /// The algorithm that a scenario would declare.
  package var algorithm: LimitAlgorithm {
    switch self {
    case .aligned: .fixedAligned
    case .fixed: .fixed
    case .log, .logCountingRefused: .slidingLog
    case .counter: .slidingCounter
    case .bucket: .tokenBucket
    }
  }

  /// For people.
  package var text: String { self == .logCountingRefused ? "sliding log that counts refusals" : algorithm.text }
}
