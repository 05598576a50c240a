/// Durations in nanoseconds in the buckets of `LatencyHistogram`, of which only those with samples take room: for
/// what is rare in a healthy run. Merging adds counts.
public struct SparseHistogram: Sendable {
  /// By the highest value of the bucket.
  private var counts: [Int64: UInt64] = [:]
  public private(set) var count: UInt64 = 0
  /// Of all samples, nanoseconds.
  public private(set) var sum = 0.0
  /// The shortest and longest samples themselves, not their buckets' ends; 0 without samples.
  public private(set) var min: Int64 = 0
  public private(set) var max: Int64 = 0

  public init() {}

  public var isEmpty: Bool { count == 0 }

  public mutating func record(_ nanoseconds: Int64) { record(nanoseconds, count: 1) }

  mutating func record(_ nanoseconds: Int64, count added: UInt64) {
    let value = Swift.min(Swift.max(nanoseconds, 0), LatencyHistogram.highest)
    min = isEmpty ? value : Swift.min(min, value)
    max = Swift.max(max, value)
    counts[LatencyHistogram.highest(inBucketOf: value), default: 0] += added
    count += added
    sum += Double(value) * Double(added)
  }

  public mutating func merge(_ other: SparseHistogram) {
    guard !other.isEmpty else { return }
    min = isEmpty ? other.min : Swift.min(min, other.min)
    max = Swift.max(max, other.max)
    counts.merge(other.counts, uniquingKeysWith: +)
    count += other.count
    sum += other.sum
  }

  /// Every bucket that holds samples: its highest value in nanoseconds and its count, ascending.
  public var buckets: [LatencyHistogram.Bucket] {
    counts.sorted { $0.key < $1.key }.map { LatencyHistogram.Bucket(value: $0.key, count: $0.value) }
  }
}

extension SparseHistogram: Codable {
  /// As a `LatencyHistogram` is written.
  public init(from decoder: any Decoder) throws {
    self.init()
    for bucket in try LatencyHistogram(from: decoder).buckets { record(bucket.value, count: bucket.count) }
  }

  public func encode(to encoder: any Encoder) throws { try LatencyHistogram.encode(buckets, to: encoder) }
}
