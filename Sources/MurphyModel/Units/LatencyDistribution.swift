/// The sorted bounds of all requests' latencies, from histograms: the precision of a percentile.
///
/// Order statistics are monotone: for any latencies x with lo ≤ x ≤ hi, the k-th smallest x is between the k-th
/// smallest lo and the k-th smallest hi. Both ends are attained, so no smaller interval is valid.
package struct LatencyDistribution: Sendable {
  /// The number of requests.
  package let samples: Int
  /// By the highest value of their bucket, ascending, in nanoseconds.
  private let lows: [(value: Int64, count: Int)]
  /// Only the finite ones; the others belong to requests without a response.
  private let highs: [(value: Int64, count: Int)]
  private let sumOfLows: Double
  private let sumOfHighs: Double
  /// The exact longest bounds.
  private let longestLow: Int64
  private let longestHigh: Int64

  /// The bounds of the latencies, or of the service times.
  package init(_ account: LatencyAccount, isService: Bool = false) {
    let censored = account.censored
    samples = account.samples
    if isService {
      highs = Self.sorted([account.service.buckets])
      lows = Self.sorted([account.service.buckets, censored.service.buckets])
      sumOfHighs = account.service.sum
      sumOfLows = account.service.sum + censored.service.sum
      longestHigh = account.service.longest
      longestLow = max(longestHigh, censored.service.max)
    } else {
      let waited = CensoringCause.allCases.compactMap { cause in censored[cause].map { censored[keyPath: $0] } }
      let responses = account.latency.buckets
      highs = Self.sorted([responses])
      lows = Self.sorted(
        [responses, censored.lateLow.buckets] + waited.map(\.buckets), without: censored.lateHigh.buckets,
        zeros: censored.unsentMurphy)
      sumOfHighs = account.latency.sum
      sumOfLows =
        account.latency.sum - censored.lateHigh.sum + censored.lateLow.sum + waited.reduce(0) { $0 + $1.sum }
      longestHigh = account.latency.longest
      longestLow = max(longestHigh, waited.map(\.max).max() ?? 0)
    }
  }

  /// Requests without an upper bound.
  package var unbounded: Int { samples - highs.reduce(0) { $0 + $1.count } }

  /// The rank of a percentile among n samples, ⌈p·n⌉, at least 1.
  package static func rank(_ percentile: Double, of samples: Int) -> Int {
    min(max(Int((percentile / 100 * Double(samples) - 1e-9).rounded(.up)), 1), max(samples, 1))
  }

  /// - Returns: nil without samples.
  package func percentile(_ percentile: Double) -> LatencyInterval? {
    guard samples > 0 else { return nil }
    let rank = Self.rank(percentile, of: samples)
    return LatencyInterval(
      nanoseconds: min(Self.value(rank, in: lows) ?? 0, longestLow),
      Self.value(rank, in: highs).map { min($0, longestHigh) })
  }

  /// Nil without samples. Without an upper end if the latency of any request is unbounded.
  package var mean: LatencyInterval? {
    guard samples > 0 else { return nil }
    let count = Double(samples)
    return LatencyInterval(
      nanoseconds: Int64(sumOfLows / count), unbounded > 0 ? nil : Int64(sumOfHighs / count))
  }

  /// The number of requests that were certainly over the limit, and possibly over it, at the precision of buckets: a
  /// bound counts only if its whole bucket is on one side.
  ///
  /// - Parameter limit: nanoseconds.
  package func count(over limit: Int64) -> (over: Int, maybe: Int) {
    let over = lows.reduce(0) { $0 + (LatencyHistogram.lowest(inBucketOf: $1.value) > limit ? $1.count : 0) }
    let within = highs.reduce(0) { $0 + ($1.value <= limit ? $1.count : 0) }
    return (over, max(samples - over - within, 0))
  }

  private static func value(_ rank: Int, in bounds: [(value: Int64, count: Int)]) -> Int64? {
    var below = 0
    for bound in bounds {
      below += bound.count
      if below >= rank { return bound.value }
    }
    return nil
  }

  private static func sorted(
    _ parts: [[LatencyHistogram.Bucket]], without removed: [LatencyHistogram.Bucket] = [], zeros: Int = 0
  ) -> [(value: Int64, count: Int)] {
    var counts: [Int64: Int] = zeros > 0 ? [0: zeros] : [:]
    for part in parts { for bucket in part { counts[bucket.value, default: 0] += Int(bucket.count) } }
    for bucket in removed { counts[bucket.value, default: 0] -= Int(bucket.count) }
    return counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension LatencyHistogram {
  /// The exact longest sample, not its bucket's end.
  fileprivate var longest: Int64 { percentile(100) }
}

/// The interval of a latency; without an upper end if missing responses could make it any longer.
package struct LatencyInterval: Sendable, Hashable {
  /// The lower end.
  package var low: Duration
  /// The upper end; nil for none.
  package var high: Duration?

  package init(low: Duration, high: Duration?) {
    self.low = low
    self.high = high
  }

  /// Rounds to tenths of a microsecond. Nil for no upper bound.
  package init(nanoseconds low: Int64, _ high: Int64?) {
    self.init(low: .measured(low), high: high.map(Duration.measured))
  }

  /// True if it contains only one value.
  package var isExact: Bool { low == high }
}

extension LatencyInterval: Codable {
  private enum CodingKeys: String, CodingKey { case low, high }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    low = try container.decode(InMicroseconds<Duration>.self, forKey: .low).wrappedValue
    high = try container.decode(InMicroseconds<Duration?>.self, forKey: .high).wrappedValue
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(low.inMicroseconds, forKey: .low)
    try container.encode(openEnd: high?.inMicroseconds, forKey: .high)
  }
}

/// The usual percentiles over all requests that came due, answered or not.
package struct LatencyIntervals: Sendable, Codable, Hashable {
  /// The arithmetic mean.
  package var mean: LatencyInterval
  /// The median.
  package var p50: LatencyInterval
  /// The 75th percentile.
  package var p75: LatencyInterval
  /// The 90th percentile.
  package var p90: LatencyInterval
  /// The 95th percentile.
  package var p95: LatencyInterval
  /// The 99th percentile.
  package var p99: LatencyInterval
  /// The 99.9th percentile.
  package var p999: LatencyInterval
  package var max: LatencyInterval

  /// - Returns: nil without samples.
  package init?(_ distribution: LatencyDistribution) {
    guard let mean = distribution.mean, let p50 = distribution.percentile(50), let p75 = distribution.percentile(75),
      let p90 = distribution.percentile(90), let p95 = distribution.percentile(95),
      let p99 = distribution.percentile(99), let p999 = distribution.percentile(99.9),
      let max = distribution.percentile(100)
    else { return nil }
    self.mean = mean
    self.p50 = p50
    self.p75 = p75
    self.p90 = p90
    self.p95 = p95
    self.p99 = p99
    self.p999 = p999
    self.max = max
  }
}
