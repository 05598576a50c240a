import Foundation
import MurphyModel

/// One random case of recording in loops and merging into a run, checked against the samples themselves.
///
/// The seed determines the distribution, the number of samples and the number of shards. It also determines the shard
/// of each sample, and the order and tree of the merge.
package struct RecorderTrial: Sendable {
  /// A share of the exact order statistic; or nanoseconds.
  package static let share = 0.01
  /// The tolerated difference in nanoseconds.
  package static let slack: Int64 = 10_000
  /// The compared percentiles.
  package static let percentiles: [Double] = [0.1, 1, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100]

  /// Generates the recorded values.
  package let seed: UInt64
  private let distribution: DelayDistribution
  private let samples: [Int64]
  private let shards: Int
  private var random: RandomSource

  package init(seed: UInt64) {
    self.seed = seed
    var random = RandomSource(seed: seed)
    distribution = Self.distribution(seed, &random)
    let count = seed.isMultiple(of: 100) ? 5_000 : Int.random(in: 1...300, using: &random)
    var samples: [Int64] = []
    for _ in 0..<count { samples.append(distribution.draw(&random)) }
    if seed.isMultiple(of: 7) { samples[0] = 0 }
    self.samples = samples
    shards = Int.random(in: 1...8, using: &random)
    self.random = random
  }

  private static func distribution(_ seed: UInt64, _ random: inout RandomSource) -> DelayDistribution {
    /// From a microsecond to ten seconds, log-uniform.
    func duration() -> Duration { .nanoseconds(Int64(saturating: exp(log(1e3) + log(1e7) * random.unit()))) }
    switch seed % 5 {
    case 0: return .constant(duration())
    case 1: return .bimodal(fast: duration(), slow: duration(), share: random.unit())
    case 2: return .logNormal(median: duration(), deviation: 2 * random.unit())
    case 3: return .heavyTail(shortest: duration(), shape: 0.7 + 2 * random.unit(), longest: .seconds(7_200))
    // All lengths from a nanosecond to beyond the longest recorded one.
    default: return .heavyTail(shortest: .nanoseconds(1), shape: 0.05, longest: .seconds(7_200))
    }
  }

  /// The errors, in sentences with the seed; empty if every percentile is right.
  package var mistakes: [String] {
    var random = random
    var parts = Array(repeating: LatencyAccount(), count: shards)
    for sample in samples {
      // For some samples the loop was late: their latency has bounds, and the upper one is the sample.
      let late = sample.isMultiple(of: 10) ? min(sample, 2_000_000) : 0
      let shard = Int.random(in: 0..<shards, using: &random)
      parts[shard].countResponse(latency: sample, late: late, service: sample - late)
    }
    while parts.count > 1 {
      let other = parts.remove(at: Int.random(in: 0..<parts.count, using: &random))
      parts[Int.random(in: 0..<parts.count, using: &random)].merge(other)
    }
    return mistakes(in: parts[0])
  }

  private func mistakes(in merged: LatencyAccount) -> [String] {
    let exact = OrderStatistics(samples)
    let distribution = LatencyDistribution(merged)
    var mistakes: [String] = []
    if merged.samples != samples.count {
      mistakes.append("seed \(seed): \(merged.samples) of \(samples.count) samples were recorded")
    }
    for (percentile, reported) in zip(Self.percentiles, merged.latency.percentiles(Self.percentiles)) {
      let truth = min(exact[percentile], LatencyHistogram.highest)
      let high = distribution.percentile(percentile)?.high?.nanoseconds ?? -1
      for (name, value) in [("percentile", reported), ("upper bound", high)] where !Self.isRight(value, truth) {
        mistakes.append(
          "seed \(seed), \(self.distribution.text), \(samples.count) samples in \(shards) shards: the \(name) "
            + "\(percentile) is \(value) ns, but the sample of that rank is \(truth) ns")
      }
    }
    return mistakes
  }

  private static func isRight(_ reported: Int64, _ exact: Int64) -> Bool {
    abs(reported - exact) <= max(Int64(saturating: Double(exact) * share), slack)
  }
}
