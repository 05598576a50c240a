import MurphyModel

/// How much slower each operation is than all others together: the ratio of their 95th percentiles.
///
/// One slow operation among many hides in a figure for all of them, so the report names it.
package struct OutlierRanking: Sendable {
  /// By operationId; none without answers of its own or of others.
  package let ratios: [String: Double]
  /// The operations, the one that stands out most first; those without a ratio last, in their own order.
  package let ranked: [OperationResult]

  private static let percentile = 0.95
  /// Ratios below it are told by the order alone.
  private static let notable = 2.0

  package init(_ operations: [OperationResult]) {
    let own = operations.map { $0.latency.histogram.buckets }
    var all: [Int64: UInt64] = [:]
    for bucket in own.joined() { all[bucket.value, default: 0] += bucket.count }
    let values = all.keys.sorted()
    var ratios: [String: Double] = [:]
    for (operation, buckets) in zip(operations, own) {
      var rest = all
      for bucket in buckets { rest[bucket.value, default: 0] -= bucket.count }
      guard let slow = Self.quantile(buckets.map { ($0.value, $0.count) }),
        let usual = Self.quantile(values.map { ($0, rest[$0] ?? 0) }), usual > 0
      else { continue }
      ratios[operation.operation] = Double(slow) / Double(usual)
    }
    self.ratios = ratios
    ranked = operations.enumerated().sorted { left, right in
      let (a, b) = (ratios[left.element.operation] ?? 0, ratios[right.element.operation] ?? 0)
      return a == b ? left.offset < right.offset : a > b
    }.map(\.element)
  }

  private static func quantile(_ buckets: [(value: Int64, count: UInt64)]) -> Int64? {
    let total = buckets.reduce(0) { $0 + $1.count }
    guard total > 0 else { return nil }
    var rest = Double(total) * percentile
    return buckets.first { bucket in
      rest -= Double(bucket.count)
      return rest <= 0
    }?.value
  }

  /// `p95 12 × that of the others`; nil where it does not stand out.
  package func words(_ operation: OperationResult) -> String? {
    ratios[operation.operation].flatMap { ratio in
      ratio >= Self.notable ? "p95 \(Figure.digits(ratio)) × that of the others" : nil
    }
  }
}
