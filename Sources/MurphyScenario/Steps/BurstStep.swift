import MurphyModel

/// Turns that start at fixed moments, whether or not the one before was answered.
///
/// Turn k of n is due at `k · over / n` after the burst began; latency counts from there. `index` is k.
package struct BurstStep: Sendable {
  package var count: CountValue
  package var over: DurationValue
  package var steps: [Step]

  package init(count: CountValue, over: DurationValue, steps: [Step]) {
    self.count = count
    self.over = over
    self.steps = steps
  }

  /// When turn `index` of `count` is due, nanoseconds after the burst began.
  package static func offset(of index: Int, count: Int, over nanoseconds: Int64) -> Int64 {
    guard count > 0 else { return 0 }
    return Int64(saturating: Double(index) * Double(nanoseconds) / Double(count))
  }
}
