import Foundation
import MurphyModel

/// Quantiles for the comparison of two arms: the mean of nine log-quantiles around the requested one.
///
///     q > 0.9    q + (−½ … ½)·(1 − q)        the tail
///     otherwise  q ± 1.5 %                   the body
///
/// A single order statistic jumps where the distribution has a gap or a knee. The mean of nine has a smaller variance,
/// and differences of logarithms are ratios. It needs only histograms, which merge by addition of counts.
package enum SmoothQuantile {
  /// The number of quantiles in the mean.
  package static let points = 9

  /// The nine quantiles, from 0 to 1.
  static func shares(_ quantile: Double) -> [Double] {
    let width = quantile > 0.9 ? 1 - quantile : 0.03
    return (0..<points).map { quantile + width * (Double($0) / Double(points - 1) - 0.5) }
  }

  /// The mean logarithm of the nine quantiles, in the unit of the values.
  ///
  /// - Parameter buckets: ascending; values of 0 count as 1 ns, the clock's resolution.
  /// - Returns: nil without samples.
  package static func log(_ quantile: Double, of buckets: [LatencyHistogram.Bucket]) -> Double? {
    let count = buckets.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    var sum = 0.0
    var index = 0
    var below: UInt64 = 0
    for share in shares(quantile) {
      let rank = min(max((share * Double(count)).rounded(.up), 1), Double(count))
      while Double(below + buckets[index].count) < rank {
        below += buckets[index].count
        index += 1
      }
      sum += Foundation.log(Double(max(buckets[index].value, 1)))
    }
    return sum / Double(points)
  }

  /// Two lists of buckets as one, ascending, counts of equal values added.
  package static func merged(_ parts: [[LatencyHistogram.Bucket]]) -> [LatencyHistogram.Bucket] {
    var whole: [LatencyHistogram.Bucket] = []
    for bucket in parts.joined().sorted(by: { $0.value < $1.value }) where bucket.count > 0 {
      if let last = whole.indices.last, whole[last].value == bucket.value {
        whole[last].count += bucket.count
      } else {
        whole.append(bucket)
      }
    }
    return whole
  }
}
