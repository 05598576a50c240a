import Foundation
import MurphyModel

/// A machine whose latencies drift, stall and have neighbours, for comparisons of two programs on it.
///
/// log latency = log 20 ms + machine drift (Ornstein and Uhlenbeck, sd 4 %, 30 s) + neighbours (one a minute, 6 s on
/// average, ×1.1 to 1.6) + noise that consecutive requests share (AR(1), ρ 0.8, sd 12 %) + noise of each (sd 25 %); 3 %
/// of the requests have a Pareto tail (2.5), and every 4 s a pause of 40 ms holds up whatever comes due in it. Each
/// started process is faster or slower by a draw of its own (sd 1 %).
public struct LatencyWorld: Sendable {
  /// Groups, blocks in a group, requests in a slice.
  public var groups: Int
  public var blocks: Int
  public var requests: Int
  /// Seconds.
  public var slice: Double
  /// Of the logarithm, between processes of one program.
  public var instanceDeviation = 0.01
  /// Both arms keep their first process.
  public var keepsInstances = false

  public init(groups: Int, blocks: Int, requests: Int, slice: Double) {
    (self.groups, self.blocks, self.requests, self.slice) = (groups, blocks, requests, slice)
  }

  public enum Slowdown: Sendable {
    case none
    /// Every request takes longer by this share.
    case all(Double)
    /// Only those that take longer than 95 % of all.
    case tail(Double)
  }

  /// Latencies in nanoseconds, ascending, of both arms in one group.
  public struct Group: Sendable {
    public var base: [Int64]
    public var candidate: [Int64]
  }

  private static let gap = 0.15

  /// The 95th percentile of the world, in milliseconds.
  private static let slowest: Double = {
    var all: [Double] = []
    for seed in 0..<30 as Range<UInt64> {
      var random = RandomSource(seed: 9, stream: seed)
      for slice in LatencyWorld(groups: 1, blocks: 20, requests: 500, slice: 1).slices(&random) { all += slice }
    }
    all.sort()
    return all[all.count * 95 / 100]
  }()

  public func sample(seed: UInt64, _ slowdown: Slowdown = .none) -> [Group] {
    var random = RandomSource(seed: seed)
    let slices = slices(&random)
    var instances = (0.0, 0.0)
    return (0..<groups).map { group in
      if group == 0 || !keepsInstances {
        instances = (exp(instanceDeviation * random.normal()), exp(instanceDeviation * random.normal()))
      }
      var (base, candidate): ([Double], [Double]) = ([], [])
      var baseIsFirst = true
      for block in 0..<blocks {
        baseIsFirst = block.isMultiple(of: 2) ? random.next() >> 63 == 0 : !baseIsFirst
        let pair = (group * blocks + block) * 2
        base += slices[baseIsFirst ? pair : pair + 1].map { $0 * instances.0 }
        candidate += slices[baseIsFirst ? pair + 1 : pair].map { Self.slow($0 * instances.1, slowdown) }
      }
      return Group(base: Self.bucketed(base), candidate: Self.bucketed(candidate))
    }
  }

  private static func slow(_ latency: Double, _ slowdown: Slowdown) -> Double {
    switch slowdown {
    case .none: latency
    case .all(let share): latency * (1 + share)
    case .tail(let share): latency > slowest ? latency * (1 + share) : latency
    }
  }

  /// As a histogram of three digits keeps them.
  private static func bucketed(_ milliseconds: [Double]) -> [Int64] {
    milliseconds.map { LatencyHistogram.highest(inBucketOf: Int64($0 * 1e6)) }.sorted()
  }

  /// Milliseconds of all slices in the order of time.
  private func slices(_ random: inout RandomSource) -> [[Double]] {
    let count = 2 * groups * blocks
    var machine = NoisyMachine(seconds: Double(count) * (slice + Self.gap) + 1, &random)
    return (0..<count).map { index in
      let start = Double(index) * (slice + Self.gap)
      let moments = (0..<requests).map { _ in start + slice * random.unit() }.sorted()
      return moments.map { machine.latency(at: $0, &random) }
    }
  }
}

/// The latencies of one program on the machine of ``LatencyWorld``, in the order of time.
public struct NoisyMachine {
  private static let step = 0.05
  private static let pause = 0.04

  /// The machine's part of the logarithm, every 50 ms.
  private var levels: [Double]
  /// Where in their four seconds the pauses are.
  private let phase: Double
  private var shared = 0.0

  public init(seconds: Double, _ random: inout RandomSource) {
    let decay = exp(-Self.step / 30)
    var drift = 0.04 * random.normal()
    levels = (0..<Int(seconds / Self.step) + 2).map { _ in
      drift = decay * drift + 0.04 * (1 - decay * decay).squareRoot() * random.normal()
      return drift
    }
    // Neighbours come as a Poisson process: exponential gaps.
    var begin = random.exponential(mean: 60)
    while begin < seconds {
      let last = min(Int((begin + random.exponential(mean: 6)) / Self.step) + 1, levels.count)
      let factor = log(random.uniform(1.1, 1.6))
      for index in Int(begin / Self.step)..<max(last, Int(begin / Self.step)) { levels[index] += factor }
      begin += random.exponential(mean: 60)
    }
    phase = random.uniform(0, 4)
  }

  /// Milliseconds of the next request, which is sent at a moment in seconds.
  public mutating func latency(at moment: Double, _ random: inout RandomSource) -> Double {
    shared = 0.8 * shared + 0.12 * 0.6 * random.normal()
    var log = levels[min(Int(moment / Self.step), levels.count - 1)] + shared + 0.25 * random.normal()
    // numpy's pareto is Lomax: U^(−1/a) − 1.
    if random.unit() < 0.03 { log += log1p(1.5 * (pow(1 - random.unit(), -1 / 2.5) - 1)) }
    let place = (moment + phase).truncatingRemainder(dividingBy: 4)
    return 20 * exp(log) + (place < Self.pause ? (Self.pause - place) * 1000 : 0)
  }
}
