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
        debugDescription: "a histogram's buckets come in pairs of value and count; found \(flat.count) numbers")
    }
    var room = Self.mostSamples
    for index in stride(from: 0, to: flat.count, by: 2) where flat[index + 1] > 0 {
      guard flat[index + 1] <= room else {
        throw DecodingError.dataCorruptedError(
          forKey: .buckets, in: container, debugDescription: "a histogram holds more than \(Self.mostSamples) samples")
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
