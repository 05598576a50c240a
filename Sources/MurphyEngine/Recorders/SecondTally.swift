import MurphyModel

/// One second of one loop.
package struct SecondTally: Sendable {
  var planned = 0
  var sent = 0
  var outcomes = Outcomes()
  var users = 0
  var findings = 0
  /// The latencies of responses in `LatencyScale`; empty without responses.
  var latencies: [UInt32] = []
  var longest: Int64 = 0
  /// The sum of all latencies, nanoseconds. Used by observers of the run, and so not in a shard's file.
  package private(set) var total: Int64 = 0

  package init() {}

  /// Adds one response; in nanoseconds.
  package mutating func record(latency: Int64) {
    if latencies.isEmpty { latencies = Array(repeating: 0, count: LatencyScale.count) }
    latencies[LatencyScale.bucket(of: latency)] += 1
    if latency > longest { longest = latency }
    total &+= latency
  }

  mutating func merge(_ other: SecondTally) {
    planned += other.planned
    sent += other.sent
    outcomes += other.outcomes
    users += other.users
    findings += other.findings
    longest = max(longest, other.longest)
    total &+= other.total
    if latencies.isEmpty {
      latencies = other.latencies
    } else {
      for (index, count) in other.latencies.enumerated() { latencies[index] = latencies[index].adding(count) }
    }
  }

  /// A latency that `share` of the responses do not exceed, microseconds, to 3 %; nil without responses.
  package func percentile(_ share: Double) -> Double? {
    let total = latencies.reduce(0) { $0 + Int($1) }
    guard total > 0 else { return nil }
    var rest = max(Int(saturating: (Double(total) * share).rounded(.up)), 1)
    for (index, count) in latencies.enumerated() {
      rest -= Int(count)
      if rest <= 0 { return Double(min(LatencyScale.highest(in: index), longest)) / 1000 }
    }
    return Double(longest) / 1000
  }

  /// The second in the form of the result.
  package func point(second: Int) -> TimelinePoint {
    var point = TimelinePoint(second: second)
    point.planned = planned
    point.sent = sent
    point.outcomes = outcomes
    point.users = users
    point.findings = findings
    point.p50 = percentile(0.5)
    point.p95 = percentile(0.95)
    point.p99 = percentile(0.99)
    point.max = latencies.isEmpty ? nil : Double(longest) / 1000
    point.buckets = LatencyScale.coarse(latencies)
    return point
  }
}

extension SecondTally: Codable {
  private enum CodingKeys: String, CodingKey { case planned, sent, outcomes, users, findings, latencies, longest }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    planned = try values.decode(Int.self, forKey: .planned)
    sent = try values.decode(Int.self, forKey: .sent)
    outcomes = try values.decode(Outcomes.self, forKey: .outcomes)
    users = try values.decode(Int.self, forKey: .users)
    findings = try values.decode(Int.self, forKey: .findings)
    longest = try values.decode(Int64.self, forKey: .longest)
    let pairs = try values.decode(PackedNumbers.self, forKey: .latencies).numbers
    guard !pairs.isEmpty else { return }
    latencies = Array(repeating: 0, count: LatencyScale.count)
    for index in stride(from: 0, to: pairs.count - 1, by: 2) where latencies.indices.contains(Int(pairs[index])) {
      latencies[Int(pairs[index])] = UInt32(truncatingIfNeeded: pairs[index + 1])
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(planned, forKey: .planned)
    try values.encode(sent, forKey: .sent)
    try values.encode(outcomes, forKey: .outcomes)
    try values.encode(users, forKey: .users)
    try values.encode(findings, forKey: .findings)
    try values.encode(longest, forKey: .longest)
    // The buckets with responses, as pairs of number and count.
    let pairs = latencies.enumerated().filter { $0.element > 0 }.flatMap { [Int64($0.offset), Int64($0.element)] }
    try values.encode(PackedNumbers(pairs), forKey: .latencies)
  }
}

/// Logarithmic buckets for one second's latencies: 32 per octave from 1 µs to 71 minutes, 4 KB per second.
///
/// Bucket of v, with e = ⌊log₂ v⌋: 32 · (e − 10) + the five bits of v below its highest.
package enum LatencyScale {
  private static let lowest = 10
  private static let octaves = 32
  /// Two neighbouring buckets differ by about 2 %.
  package static let perOctave = 32
  /// The number of buckets.
  package static let count = octaves * perOctave

  /// A value outside the scale is in the first or the last bucket.
  package static func bucket(of nanoseconds: Int64) -> Int {
    let value = UInt64(max(nanoseconds, 1 << lowest))
    let exponent = 63 - value.leadingZeroBitCount
    let index = (exponent - lowest) * perOctave + Int(value >> UInt64(exponent - 5)) & 31
    return min(index, count - 1)
  }

  /// The highest value in the bucket, nanoseconds.
  package static func highest(in bucket: Int) -> Int64 {
    let exponent = bucket / perOctave + lowest
    return (Int64(32 + bucket % perOctave + 1) << Int64(exponent - 5)) - 1
  }

  /// Four buckets per octave: pairs of the upper bound in microseconds and the count. Empty buckets are left out.
  package static func coarse(_ fine: [UInt32]) -> [Double] {
    var pairs: [Double] = []
    for start in stride(from: 0, to: fine.count, by: perOctave / 4) {
      let end = min(start + perOctave / 4, fine.count)
      let total = fine[start..<end].reduce(0) { $0 + Int($1) }
      if total > 0 { pairs += [Double(highest(in: end - 1) + 1) / 1000, Double(total)] }
    }
    return pairs
  }
}
