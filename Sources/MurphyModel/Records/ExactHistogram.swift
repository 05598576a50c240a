/// A histogram with its ends and its sum, from which the same histogram is restored.
///
/// As packed numbers: the bits of the sum, then for each bucket the distance of its value from the previous one, and
/// its count. The shortest sample names the first bucket and the longest sample the last one, so that both are
/// restored.
struct ExactHistogram {
  var buckets: [LatencyHistogram.Bucket]
  var sum: Double

  init(_ buckets: [LatencyHistogram.Bucket], min: Int64, max: Int64, sum: Double) {
    var named = buckets
    if let last = named.popLast() {
      named.append(LatencyHistogram.Bucket(value: max, count: last.count))
      // A bucket with both ends: one sample is the shortest, the others the longest.
      if named.count == 1, min < max {
        named = [.init(value: min, count: 1), .init(value: max, count: last.count - 1)]
      } else {
        named[0].value = min
      }
    }
    self.buckets = named
    self.sum = sum
  }
}

extension ExactHistogram: Codable {
  init(from decoder: any Decoder) throws {
    let numbers = try PackedNumbers(from: decoder).numbers
    func corrupted(_ what: String) -> DecodingError {
      .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: what))
    }
    guard numbers.count % 2 == 1 else { throw corrupted("a histogram is a sum and pairs of value and count") }
    sum = Double(bitPattern: UInt64(bitPattern: numbers[0]))
    guard sum >= 0, sum.isFinite else { throw corrupted("a histogram's sum is \(sum)") }
    buckets = []
    var (value, room): (Int64, Int64) = (0, LatencyHistogram.mostSamples)
    for index in stride(from: 1, to: numbers.count, by: 2) {
      value &+= numbers[index]
      let count = numbers[index + 1]
      guard value >= 0, value <= LatencyHistogram.highest, count > 0, count <= room else {
        throw corrupted("a histogram has \(count) samples of \(value) ns")
      }
      room -= count
      buckets.append(LatencyHistogram.Bucket(value: value, count: UInt64(count)))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var numbers = [Int64(bitPattern: sum.bitPattern)]
    var last: Int64 = 0
    for bucket in buckets {
      numbers += [bucket.value - last, Int64(bucket.count)]
      last = bucket.value
    }
    try PackedNumbers(numbers).encode(to: encoder)
  }
}
