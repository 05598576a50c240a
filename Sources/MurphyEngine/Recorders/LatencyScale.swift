/// Logarithmic buckets for one second's latencies: 32 an octave from 1 µs to 71 minutes, 4 KB a second.
///
/// Bucket of v, with e = ⌊log₂ v⌋: 32 · (e − 10) + the five bits of v below its highest.
package enum LatencyScale {
  private static let lowest = 10
  private static let octaves = 32
  package static let perOctave = 32
  package static let count = octaves * perOctave

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

  /// Four buckets an octave: upper bound in microseconds and count, in turn; empty ones are left out.
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
