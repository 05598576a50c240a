import Foundation
import MurphyModel
import MurphySelfcheck
import Simulation
import Testing

/// Up to 10,000 random cases of what loops record and a run merges, each held against the samples themselves.
@Suite struct RecorderPropertyTests {
  private static let percentiles: [Double] = [0.1, 1, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100]

  /// One case: a distribution, samples of it, and the shard that each of them falls to.
  private struct Case {
    var distribution: DelayDistribution
    var samples: [Int64]
    var shards: Int
    var shard: [Int]
    var random: RandomSource

    init(seed: UInt64) {
      var random = RandomSource(seed: seed)
      func duration(_ range: ClosedRange<Double>) -> Duration {
        .nanoseconds(Int64(exp(range.lowerBound + (range.upperBound - range.lowerBound) * random.unit())))
      }
      // From a microsecond to ten seconds, by the logarithm.
      let span = log(1e3)...log(1e10)
      distribution =
        switch seed % 5 {
        case 0: .constant(duration(span))
        case 1: .bimodal(fast: duration(span), slow: duration(span), share: random.unit())
        case 2: .logNormal(median: duration(span), deviation: 2 * random.unit())
        case 3: .heavyTail(shortest: duration(span), shape: 0.7 + 2 * random.unit(), longest: .seconds(7_200))
        // A mixture of all lengths, zero and beyond the longest that is kept.
        default: .heavyTail(shortest: .nanoseconds(1), shape: 0.05, longest: .seconds(3_600))
        }
      let count = seed % 100 == 0 ? 5_000 : Int.random(in: 1...300, using: &random)
      samples = []
      for _ in 0..<count { samples.append(distribution.draw(&random)) }
      if seed.isMultiple(of: 7) { samples[0] = 0 }
      shards = Int.random(in: 1...16, using: &random)
      shard = []
      for _ in samples { shard.append(Int.random(in: 0..<shards, using: &random)) }
      self.random = random
    }
  }

  /// Within 1 % of the sample or 10 µs; and a duration of over an hour counts as one.
  private static func isRight(_ reported: Int64, _ exact: Int64) -> Bool {
    let exact = min(exact, LatencyHistogram.highest)
    return abs(reported - exact) <= max(exact / 100, 10_000)
  }

  /// `MURPHY_SIMULATIONS=full` takes all 10,000; a debug build takes minutes for them.
  @Test func `percentiles of merged shards are the exact order statistics`() throws {
    let cases = UInt64(SimulationSize.count(10_000, part: 0.1))
    print("percentiles of merged shards: seeds 0..<\(cases)")
    for seed in 0..<cases {
      var one = Case(seed: seed)
      var shards = Array(repeating: LatencyAccount(), count: one.shards)
      for (sample, shard) in zip(one.samples, one.shard) {
        // Of an unlucky tenth murphy was late: the bounds of its latency are known, and the upper one is the sample.
        let late = sample.isMultiple(of: 10) ? min(sample, 2_000_000) : 0
        shards[shard].answer(latency: sample, late: late, service: sample - late)
      }
      let merged = Self.merge(shards.shuffled(using: &one.random), &one.random)
      let exact = OrderStatistics(one.samples)
      #expect(merged.samples == one.samples.count, "seed \(seed)")
      let distribution = LatencyDistribution(merged)
      let stored = try JSONDecoder().decode(LatencyHistogram.self, from: JSONEncoder().encode(merged.latency))
      for (percentile, reported) in zip(Self.percentiles, merged.latency.percentiles(Self.percentiles)) {
        let truth = exact[percentile]
        guard Self.isRight(reported, truth) else {
          Issue.record(
            "seed \(seed), \(one.distribution.text), \(one.samples.count) samples in \(one.shards) shards: p\(percentile) is \(reported) ns, and the sample of that rank \(truth) ns"
          )
          continue
        }
        // What a report draws from a stored result is the same.
        #expect(Self.isRight(stored.percentile(percentile), truth), "seed \(seed), p\(percentile), stored")
        let high = try #require(distribution.percentile(percentile)?.high)
        #expect(Self.isRight(Int64(high * 1000), truth), "seed \(seed), p\(percentile), upper bound")
      }
      #expect(merged.latency.sum == shards.reduce(0) { $0 + $1.latency.sum } || one.samples.count > 1, "seed \(seed)")
    }
  }

  /// In an order and a tree drawn at random.
  private static func merge(_ parts: [LatencyAccount], _ random: inout RandomSource) -> LatencyAccount {
    var parts = parts
    while parts.count > 1 {
      let other = parts.remove(at: Int.random(in: 0..<parts.count, using: &random))
      let into = Int.random(in: 0..<parts.count, using: &random)
      parts[into].merge(other)
    }
    return parts[0]
  }
}
