/// Durations in nanoseconds, stored with three significant digits up to one hour, in the buckets of an HdrHistogram
/// (Tene, 2012).
///
/// Merging adds counts bucket by bucket, so percentiles of a merged histogram are those of all samples. Not
/// thread-safe: each loop owns its own.
package struct LatencyHistogram: Sendable {
  /// One hour: longer durations are recorded as this.
  package static let highest: Int64 = 3_600_000_000_000

  /// By page of 128 buckets: one more than its position in `counts`, or 0 for a page without samples. Empty without
  /// samples.
  private var pages: [UInt16] = []
  /// The counts of the pages with samples, in the order of their first samples. A contract may have hundreds of
  /// operations with several histograms each, and most latencies of one operation are in a few of the 264 pages.
  private var counts: [UInt64] = []
  /// The number of samples.
  package private(set) var count: UInt64 = 0
  /// The exact shortest and longest samples, in nanoseconds; 0 without samples.
  package private(set) var min: Int64 = 0
  private(set) var longestSample: Int64 = 0
  /// The sum of all samples, in nanoseconds; exact up to 104 days in total, and to sixteen digits beyond.
  package internal(set) var sum = 0.0

  package init() {}

  /// True without samples.
  package var isEmpty: Bool { count == 0 }
  /// The end of the longest sample's bucket, in nanoseconds; 0 without samples.
  package var max: Int64 { Self.highest(inBucketOf: longestSample) }

  /// The mean of the middles of the buckets, in nanoseconds; 0 without samples.
  package var mean: Double { mean(of: buckets) }

  func mean(of buckets: [Bucket]) -> Double {
    guard count > 0 else { return 0 }
    let total = buckets.reduce(0.0) { sum, bucket in
      let lowest = Self.lowest(inBucketOf: bucket.value)
      return sum + Double(lowest + (bucket.value - lowest + 1) / 2) * Double(bucket.count)
    }
    return total / Double(count)
  }

  /// Values outside the range count as its nearest end.
  package mutating func record(_ nanoseconds: Nanoseconds) { record(nanoseconds, count: 1) }

  /// Adds the same duration several times.
  package mutating func record(_ nanoseconds: Nanoseconds, count: UInt64) {
    let clamped = Swift.min(Swift.max(nanoseconds, 0), Self.highest)
    min = isEmpty ? clamped : Swift.min(min, clamped)
    longestSample = Swift.max(longestSample, clamped)
    add(count, at: Self.index(of: clamped))
    self.count += count
    sum += Double(clamped) * Double(count)
  }

  @inline(__always)
  private mutating func add(_ count: UInt64, at index: Int) {
    if pages.isEmpty { pages = Array(repeating: 0, count: Self.pages) }
    let page = index >> Self.pageBits
    if pages[page] == 0 {
      counts += repeatElement(0, count: 1 << Self.pageBits)
      pages[page] = UInt16(counts.count >> Self.pageBits)
    }
    counts[(Int(pages[page]) - 1) << Self.pageBits | index & (1 << Self.pageBits - 1)] += count
  }

  /// Adds the samples of another histogram.
  package mutating func merge(_ other: LatencyHistogram) {
    guard !other.isEmpty else { return }
    min = isEmpty ? other.min : Swift.min(min, other.min)
    longestSample = Swift.max(longestSample, other.longestSample)
    other.forEachCount { add($1, at: $0) }
    count += other.count
    sum += other.sum
  }

  /// The smallest recorded duration such that `percent` of all samples are at most that, in nanoseconds.
  package func percentile(_ percent: Double) -> Int64 { percentiles([percent])[0] }

  /// The same for several percentages, in one pass, by HdrHistogram's rule.
  package func percentiles(_ percents: [Double]) -> [Int64] { percentiles(percents, of: buckets) }

  func percentiles(_ percents: [Double], of buckets: [Bucket]) -> [Int64] {
    var places: [UInt64] = []
    for percent in percents {
      let share = Swift.min(Swift.max(percent.nextDown, 0), 100) * Double(count) / 100
      places.append(percent >= 100 ? .max : Swift.max(1, UInt64(saturating: share.rounded(.up))))
    }
    let longest = longestSample
    var found = percents.map { $0 == 0 ? min : longest }
    var open = percents.indices.filter { percents[$0] > 0 && places[$0] < .max }
    var total: UInt64 = 0
    for bucket in buckets where !open.isEmpty {
      total += bucket.count
      for index in open where total >= places[index] {
        found[index] = Swift.max(Swift.min(bucket.value, longest), min)
      }
      open.removeAll { total >= places[$0] }
    }
    return found
  }

  /// The number of samples in the buckets of `range`'s ends and between, in nanoseconds.
  package func count(within range: ClosedRange<Int64>) -> UInt64 {
    let indices = Self.index(of: range.lowerBound)...Self.index(of: Swift.min(range.upperBound, Self.highest))
    var sum: UInt64 = 0
    forEachCount { if indices.contains($0) { sum += $1 } }
    return sum
  }

  /// Every bucket that holds samples: its value in nanoseconds and its count, ascending.
  package var buckets: [Bucket] {
    var buckets: [Bucket] = []
    forEachCount { buckets.append(Bucket(value: Self.highest(inBucket: $0), count: $1)) }
    return buckets
  }

  /// The buckets that hold samples by their indices, ascending.
  private func forEachCount(_ body: (_ index: Int, _ count: UInt64) -> Void) {
    for (page, place) in pages.enumerated() where place > 0 {
      let start = (Int(place) - 1) << Self.pageBits
      for offset in 0..<1 << Self.pageBits where counts[start + offset] > 0 {
        body(page << Self.pageBits + offset, counts[start + offset])
      }
    }
  }

  private static let pageBits = 7
  private static let pages = index(of: highest) >> pageBits + 1

  /// The index of a duration's bucket. Below 2,048 each duration has its own; above, buckets double their width with
  /// each power of two, 1,024 to a width.
  @inline(__always)
  private static func index(of nanoseconds: Nanoseconds) -> Int {
    guard nanoseconds >= 2048 else { return Int(nanoseconds) }
    let shift = 53 - nanoseconds.leadingZeroBitCount
    return shift << 10 + Int(nanoseconds >> Int64(shift))
  }

  private static func highest(inBucket index: Int) -> Int64 {
    guard index >= 2048 else { return Int64(index) }
    let shift = index >> 10 - 1
    return (Int64(index - shift << 10) + 1) << Int64(shift) - 1
  }

  /// The lowest duration in the same bucket as `nanoseconds`: the value itself below 2,048, and its eleven highest bits
  /// above.
  package static func lowest(inBucketOf nanoseconds: Nanoseconds) -> Int64 {
    guard nanoseconds >= 2048 else { return nanoseconds }
    let shift = Int64(53 - nanoseconds.leadingZeroBitCount)
    return (nanoseconds >> shift) << shift
  }

  /// The highest duration in the same bucket: the value in `buckets`.
  package static func highest(inBucketOf nanoseconds: Nanoseconds) -> Int64 {
    highest(inBucket: index(of: nanoseconds))
  }

  /// A value and the number of its samples.
  package struct Bucket: Sendable, Hashable {
    /// The highest duration in the bucket, in nanoseconds.
    package var value: Int64
    /// The number of samples in the bucket.
    package var count: UInt64

    package init(value: Int64, count: UInt64) {
      self.value = value
      self.count = count
    }
  }
}

extension LatencyHistogram: Codable {
  /// The limit for all buckets together, so that sums of several histograms do not overflow.
  static let mostSamples: Int64 = 1_000_000_000_000

  private enum CodingKeys: String, CodingKey { case unit, digits, buckets }

  /// `{"unit":"ns","digits":3,"buckets":[value,count,value,count…]}`
  package init(from decoder: any Decoder) throws {
    self.init()
    if decoder.userInfo[.isExact] != nil {
      let exact = try ExactHistogram(from: decoder)
      for bucket in exact.buckets { record(bucket.value, count: bucket.count) }
      sum = exact.sum
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let flat = try container.decode([Int64].self, forKey: .buckets)
    guard flat.count.isMultiple(of: 2) else {
      throw DecodingError.dataCorruptedError(
        forKey: .buckets, in: container,
        debugDescription: "the buckets of a histogram must be pairs of value and count, found \(flat.count) numbers")
    }
    var room = Self.mostSamples
    for index in stride(from: 0, to: flat.count, by: 2) where flat[index + 1] > 0 {
      guard flat[index + 1] <= room else {
        throw DecodingError.dataCorruptedError(
          forKey: .buckets, in: container, debugDescription: "a histogram has more than \(Self.mostSamples) samples")
      }
      room -= flat[index + 1]
      record(flat[index], count: UInt64(flat[index + 1]))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    guard encoder.userInfo[.isExact] != nil else { return try Self.encode(buckets, to: encoder) }
    try ExactHistogram(buckets, min: min, max: longestSample, sum: sum).encode(to: encoder)
  }

  static func encode(_ buckets: [Bucket], to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("ns", forKey: .unit)
    try container.encode(3, forKey: .digits)
    try container.encode(buckets.flatMap { [$0.value, Int64($0.count)] }, forKey: .buckets)
  }
}

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
    guard numbers.count % 2 == 1 else { throw corrupted("a histogram must have a sum, and pairs of value and count") }
    sum = Double(bitPattern: UInt64(bitPattern: numbers[0]))
    guard sum >= 0, sum.isFinite else {
      throw corrupted("the sum of a histogram is \(sum), expected a finite number of at least 0")
    }
    buckets = []
    var (value, room): (Int64, Int64) = (0, LatencyHistogram.mostSamples)
    for index in stride(from: 1, to: numbers.count, by: 2) {
      value &+= numbers[index]
      let count = numbers[index + 1]
      guard value >= 0, value <= LatencyHistogram.highest, count > 0, count <= room else {
        throw corrupted("a histogram has \(count) samples of \(value) ns, which is impossible")
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
