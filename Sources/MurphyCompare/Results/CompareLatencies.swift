import MurphyModel

/// The latencies of one operation in both arms, from the intended starts, over all groups or stored runs.
///
/// Requests that were given up count with the time that they waited.
package struct CompareLatencies: Sendable, Codable, Hashable {
  /// Of the values.
  package var unit = "ns"
  /// Value and count of each bucket, ascending: `[value, count, value, count …]`.
  package var base: [Int64]
  package var candidate: [Int64]

  package init(base: [ArmSample], candidate: [ArmSample]) {
    self.base = Self.pairs(base)
    self.candidate = Self.pairs(candidate)
  }

  private static func pairs(_ samples: [ArmSample]) -> [Int64] {
    SmoothQuantile.merged(samples.map(\.latencies)).flatMap { [$0.value, Int64(clamping: $0.count)] }
  }

  /// What a file holds as a histogram; values below 0 and counts below 1 are left out.
  package static func histogram(_ pairs: [Int64]) -> LatencyHistogram {
    var histogram = LatencyHistogram()
    for index in stride(from: 0, to: pairs.count - 1, by: 2) where pairs[index] >= 0 && pairs[index + 1] > 0 {
      histogram.record(pairs[index], count: UInt64(pairs[index + 1]))
    }
    return histogram
  }
}
