/// The reason why the end of a request was not observed. Its latency is then at least the time waited (right-censored).
package enum CensoringCause: String, Sendable, Hashable, CaseIterable {
  /// Abandoned after the timeout of the request or the connection.
  case timeout
  /// Refused, reset, closed early or not HTTP. A reset after 2 ms is not a fast response.
  case reset
  /// In flight when the run ended.
  case end
  /// Cancelled in favour of a newer query.
  case superseded
  /// The response was cut off at the size limit, before its last byte.
  case cutOff
  /// Never sent: the API occupied all connections of the user.
  case unsentApi
  /// Never sent: murphy was late or stopped, or this machine had no port, file or memory left.
  case unsentMurphy

  /// The cause as words for people: `67 timed out`.
  package var words: String {
    switch self {
    case .timeout: "timed out"
    case .reset: "failed or were reset"
    case .end: "in flight at the end"
    case .superseded: "replaced by a newer query"
    case .cutOff: "longer than the size limit"
    case .unsentApi: "never got a free connection"
    case .unsentMurphy: "not sent by murphy"
    }
  }
}

/// The waiting times of requests that something other than the response's last byte ended, from their intended start.
/// Also the two bounds of those that murphy sent late. Merged by adding.
package struct CensoredWaits: Sendable, Codable {
  /// Nanoseconds waited until the timeout.
  package var timeout = SparseHistogram()
  /// Nanoseconds waited until the transport failed.
  package var reset = SparseHistogram()
  /// Nanoseconds waited until the run ended.
  package var end = SparseHistogram()
  /// Nanoseconds waited until a newer query replaced the request.
  package var superseded = SparseHistogram()
  /// Nanoseconds until the response exceeded the size limit.
  package var cutOff = SparseHistogram()
  /// Nanoseconds waited for a free connection, in vain.
  package var unsentApi = SparseHistogram()
  /// Their latency is completely unknown, so they have no histogram.
  package var unsentMurphy = 0
  /// Responses to requests that murphy sent or read late: their latency without murphy's delay, a lower bound.
  package var lateLow = SparseHistogram()
  /// The same responses' latency as measured from the intended start, an upper bound.
  package var lateHigh = SparseHistogram()
  /// For all causes, the time waited from the actual send; 0 for requests that were never sent.
  package var service = SparseHistogram()

  package init() {}

  /// The histogram of a cause; nil for `unsentMurphy`, whose requests are only counted.
  subscript(cause: CensoringCause) -> WritableKeyPath<CensoredWaits, SparseHistogram>? {
    switch cause {
    case .timeout: \.timeout
    case .reset: \.reset
    case .end: \.end
    case .superseded: \.superseded
    case .cutOff: \.cutOff
    case .unsentApi: \.unsentApi
    case .unsentMurphy: nil
    }
  }

  mutating func record(_ cause: CensoringCause, waited: Int64, service waitedFromSend: Int64) {
    if let histogram = self[cause] { self[keyPath: histogram].record(waited) } else { unsentMurphy += 1 }
    service.record(waitedFromSend)
  }

  /// The number of requests that this cause ended.
  package func count(_ cause: CensoringCause) -> Int {
    self[cause].map { Int(self[keyPath: $0].count) } ?? unsentMurphy
  }

  /// Requests of all causes, except answered ones that were sent late.
  package var total: Int { CensoringCause.allCases.reduce(0) { $0 + count($1) } }

  /// The number of requests by cause, without the durations.
  package var counts: CensoredCounts { CensoredCounts(self) }

  /// Adds the waits of another loop or shard.
  package mutating func merge(_ other: CensoredWaits) {
    for cause in CensoringCause.allCases {
      guard let histogram = self[cause] else { continue }
      self[keyPath: histogram].merge(other[keyPath: histogram])
    }
    unsentMurphy += other.unsentMurphy
    lateLow.merge(other.lateLow)
    lateHigh.merge(other.lateHigh)
    service.merge(other.service)
  }
}

/// The number of requests whose latency is not known exactly, by cause.
package struct CensoredCounts: Sendable, Codable, Hashable {
  /// Requests that timed out.
  package var timeout = 0
  /// Requests whose connection was lost.
  package var reset = 0
  /// Requests in flight at the end.
  package var end = 0
  /// Requests that a newer query superseded.
  package var superseded = 0
  /// Requests whose response was cut off.
  package var cutOff = 0
  /// Requests that waited for one of the user's connections.
  package var unsentApi = 0
  /// Requests that murphy did not send.
  package var unsentMurphy = 0
  /// Answered, but sent or read late by murphy: bounded from below and above.
  package var late = 0

  package init() {}

  init(_ waits: CensoredWaits) {
    for cause in CensoringCause.allCases { self[keyPath: Self.place(of: cause)] = waits.count(cause) }
    late = Int(waits.lateHigh.count)
  }

  private static func place(of cause: CensoringCause) -> WritableKeyPath<CensoredCounts, Int> {
    switch cause {
    case .timeout: \.timeout
    case .reset: \.reset
    case .end: \.end
    case .superseded: \.superseded
    case .cutOff: \.cutOff
    case .unsentApi: \.unsentApi
    case .unsentMurphy: \.unsentMurphy
    }
  }

  /// Requests without a complete response.
  package var unanswered: Int { CensoringCause.allCases.reduce(0) { $0 + self[keyPath: Self.place(of: $1)] } }

  /// The counts of two operations.
  package static func + (left: CensoredCounts, right: CensoredCounts) -> CensoredCounts {
    var sum = left
    for place in CensoringCause.allCases.map(Self.place) + [\.late] { sum[keyPath: place] += right[keyPath: place] }
    return sum
  }

  /// `67 timed out, 138 in flight at the end`; empty if every request was answered.
  package var words: String {
    CensoringCause.allCases.map { (self[keyPath: Self.place(of: $0)], $0.words) }
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}

/// Durations in nanoseconds in the buckets of `LatencyHistogram`; only buckets with samples take memory. For samples
/// that are rare in a healthy run. Merging adds counts.
package struct SparseHistogram: Sendable {
  /// Counts by the highest value of the bucket.
  private var counts: [Int64: UInt64] = [:]
  /// The number of samples.
  package private(set) var count: UInt64 = 0
  /// The sum of all samples, in nanoseconds.
  package private(set) var sum = 0.0
  /// The exact shortest and longest samples, not their buckets' ends; 0 without samples.
  package private(set) var min: Int64 = 0
  /// Exact, in nanoseconds; 0 without samples.
  package private(set) var max: Int64 = 0

  package init() {}

  /// True without samples.
  package var isEmpty: Bool { count == 0 }

  /// Adds one sample.
  package mutating func record(_ nanoseconds: Nanoseconds) { record(nanoseconds, count: 1) }

  mutating func record(_ nanoseconds: Nanoseconds, count added: UInt64) {
    let value = Swift.min(Swift.max(nanoseconds, 0), LatencyHistogram.highest)
    min = isEmpty ? value : Swift.min(min, value)
    max = Swift.max(max, value)
    counts[LatencyHistogram.highest(inBucketOf: value), default: 0] += added
    count += added
    sum += Double(value) * Double(added)
  }

  /// Adds the samples of another histogram.
  package mutating func merge(_ other: SparseHistogram) {
    guard !other.isEmpty else { return }
    min = isEmpty ? other.min : Swift.min(min, other.min)
    max = Swift.max(max, other.max)
    counts.merge(other.counts, uniquingKeysWith: +)
    count += other.count
    sum += other.sum
  }

  /// Every bucket that holds samples: its highest value in nanoseconds and its count, ascending.
  package var buckets: [LatencyHistogram.Bucket] {
    counts.sorted { $0.key < $1.key }.map { LatencyHistogram.Bucket(value: $0.key, count: $0.value) }
  }
}

extension SparseHistogram: Codable {
  /// The same format as for a `LatencyHistogram`.
  package init(from decoder: any Decoder) throws {
    self.init()
    if decoder.userInfo[.isExact] != nil {
      let exact = try ExactHistogram(from: decoder)
      for bucket in exact.buckets { record(bucket.value, count: bucket.count) }
      sum = exact.sum
    } else {
      for bucket in try LatencyHistogram(from: decoder).buckets { record(bucket.value, count: bucket.count) }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    guard encoder.userInfo[.isExact] != nil else { return try LatencyHistogram.encode(buckets, to: encoder) }
    try ExactHistogram(buckets, min: min, max: max, sum: sum).encode(to: encoder)
  }
}
