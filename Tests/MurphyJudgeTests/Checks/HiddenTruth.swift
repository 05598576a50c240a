import Foundation
import MurphyModel
import Simulation

/// A run of which the truth is known: every request's latency had nobody given up and had murphy been on time, and
/// what murphy saw of it. The server may freeze, requests time out, are reset, superseded, sent late, or not sent.
struct HiddenTruth {
  /// Nanoseconds, in the order of the requests.
  private(set) var latencies: [Int64] = []
  private(set) var seen: [Seen] = []
  let percentile: Double
  let limit: Int64

  enum Seen {
    case answered(latency: Int64, late: Int64, service: Int64)
    case censored(CensoringCause, waited: Int64)
  }

  init(_ random: inout RandomSource) {
    let count = random.pick([40, 120, 400, 1200])
    percentile = random.pick([50, 90, 95, 99])
    var world = World(&random)
    for _ in 0..<count {
      let (latency, seen) = world.request(&random)
      latencies.append(latency)
      self.seen.append(seen)
    }
    // Most limits lie where it is hardest: near the true percentile.
    let truth = Double(latencies.sorted()[LatencyDistribution.rank(percentile, of: count) - 1])
    let near = truth * exp(0.25 * random.normal())
    limit = Int64(random.unit() < 0.8 ? near : 5e7 + 2.95e9 * random.unit())
  }

  var truth: Int64 { latencies.sorted()[LatencyDistribution.rank(percentile, of: latencies.count) - 1] }
  var isBroken: Bool { truth > limit }

  /// What loops would hold, the requests dealt out at random.
  ///
  /// - Parameter isCounting: whether the loops know the limit and count for it request by request.
  func shards(_ count: Int, isCounting: Bool, _ random: inout RandomSource) -> [LatencyAccount] {
    let bounds = isCounting ? [BoundCount(isService: false, limit: limit)] : []
    var shards = Array(repeating: LatencyAccount(bounds: bounds), count: count)
    for one in seen {
      let index = Int(random.unit() * Double(count))
      switch one {
      case .answered(let latency, let late, let service):
        shards[index].countResponse(latency: latency, late: late, service: service)
      case .censored(let cause, let waited): shards[index].censor(cause, waited: waited, service: waited)
      }
    }
    return shards
  }

  /// What one run draws once. Times in nanoseconds.
  private struct World {
    let median: Double
    let spread: Double
    let frozen: (from: Double, for: Double)
    let resets: Double
    let timeout: Double
    let superseded: Double
    let late: Double
    let unsent: Double
    static let end = 30e9

    init(_ random: inout RandomSource) {
      median = 2e7 + 3.8e8 * random.unit()
      spread = 0.2 + random.unit()
      frozen = random.unit() < 0.5 ? (3e10 * random.unit(), 5e8 + 1.15e10 * random.unit()) : (0, 0)
      resets = random.pick([0, 0, 0.01, 0.05])
      timeout = random.pick([1e9, 3e9, 1e10])
      superseded = random.pick([0, 0, 0.1, 0.3])
      late = random.pick([0, 0, 0.05, 0.5])
      unsent = random.pick([0, 0, 0, 0.02])
    }

    mutating func request(_ random: inout RandomSource) -> (latency: Int64, seen: Seen) {
      let begin = Self.end * random.unit()
      var latency = median * exp(spread * random.normal())
      if begin >= frozen.from, begin < frozen.from + frozen.for { latency += frozen.from + frozen.for - begin }
      var (waited, cause) = (timeout, CensoringCause.timeout)
      func end(_ other: CensoringCause, at moment: Double) { if moment < waited { (waited, cause) = (moment, other) } }
      end(.end, at: Self.end - begin + 5e7)
      if random.unit() < superseded { end(.superseded, at: 1e8 + 1.4e9 * random.unit()) }
      if random.unit() < resets { end(.reset, at: latency * random.unit()) }
      let truth = Int64(latency)
      if random.unit() < unsent { return (truth, .censored(.unsentMurphy, waited: Int64(waited))) }
      guard latency <= waited else { return (truth, .censored(cause, waited: Int64(waited))) }
      guard random.unit() < late else { return (truth, .answered(latency: truth, late: 0, service: truth)) }
      // A server that responses in order responses a request sent later by z no earlier, and at most z later.
      let delay = 2e8 * random.unit()
      let seen = max(latency + delay * random.unit(), delay)
      return (
        truth, .answered(latency: Int64(seen), late: Int64(delay), service: Int64(max(seen - delay, 0)))
      )
    }
  }
}

extension RandomSource {
  mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(unit() * Double(values.count))] }
}
