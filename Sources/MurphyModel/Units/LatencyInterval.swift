/// The interval of a latency, in microseconds; without an upper end if missing responses could make it any longer.
package struct LatencyInterval: Sendable, Hashable {
  /// The lower end.
  package var low: Double
  /// The upper end; nil for none.
  package var high: Double?

  package init(low: Double, high: Double?) {
    self.low = low
    self.high = high
  }

  /// Rounds to tenths of a microsecond. Nil for no upper bound.
  package init(nanoseconds low: Int64, _ high: Int64?) {
    func microseconds(_ nanoseconds: Int64) -> Double { (Double(nanoseconds) / 100).rounded() / 10 }
    self.low = microseconds(low)
    self.high = high.map(microseconds)
  }

  /// True if it contains only one value.
  package var isExact: Bool { low == high }
}

extension LatencyInterval: Codable {
  private enum CodingKeys: String, CodingKey { case low, high }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    low = try container.decode(Double.self, forKey: .low)
    high = try container.decodeIfPresent(Double.self, forKey: .high)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(low, forKey: .low)
    try container.encode(openEnd: high, forKey: .high)
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
