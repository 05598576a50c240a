import MurphyModel

/// One second of one loop.
package struct SecondTally: Sendable, Codable {
  var planned = 0
  var sent = 0
  var outcomes = Outcomes()
  var users = 0
  var findings = 0
  /// The counts for the check of recovery.
  var course = RecoverySecond()
  /// The latencies of responses in `LatencyScale`; empty without responses.
  @SparseCounts var latencies: [UInt32] = []
  var longest: Int64 = 0
  /// The sum of all latencies, nanoseconds. Used by observers of the run, and so not in a shard's file.
  package private(set) var total: Int64 = 0

  private enum CodingKeys: String, CodingKey {
    case planned, sent, outcomes, users, findings, course, latencies, longest
  }

  package init() {}

  /// Adds one response; in nanoseconds.
  package mutating func record(latency: Int64) {
    if latencies.isEmpty { latencies = Array(repeating: 0, count: LatencyScale.count) }
    latencies[LatencyScale.bucket(of: latency)] += 1
    if latency > longest { longest = latency }
    total &+= latency
  }

  mutating func merge(_ other: SecondTally) {
    planned += other.planned
    sent += other.sent
    outcomes += other.outcomes
    users += other.users
    findings += other.findings
    course += other.course
    longest = max(longest, other.longest)
    total &+= other.total
    if latencies.isEmpty {
      latencies = other.latencies
    } else {
      for (index, count) in other.latencies.enumerated() { latencies[index] = latencies[index].adding(count) }
    }
  }

  /// A latency that `share` of the responses do not exceed, to 3 %; nil without responses.
  package func percentile(_ share: Double) -> Duration? {
    let total = latencies.reduce(0) { $0 + Int($1) }
    guard total > 0 else { return nil }
    var rest = max(Int(saturating: (Double(total) * share).rounded(.up)), 1)
    for (index, count) in latencies.enumerated() {
      rest -= Int(count)
      if rest <= 0 { return .nanoseconds(min(LatencyScale.highest(in: index), longest)) }
    }
    return .nanoseconds(longest)
  }

  /// The second in the form of the result.
  package func point(second: Int) -> TimelinePoint {
    var point = TimelinePoint(second: second)
    point.planned = planned
    point.sent = sent
    point.outcomes = outcomes
    point.users = users
    point.findings = findings
    point.p50 = percentile(0.5)
    point.p95 = percentile(0.95)
    point.p99 = percentile(0.99)
    point.max = latencies.isEmpty ? nil : .nanoseconds(longest)
    point.buckets = LatencyScale.coarse(latencies)
    return point
  }
}

/// The counts of `LatencyScale`'s buckets, in a file as pairs of number and count of the buckets that are not empty.
@propertyWrapper
struct SparseCounts: Sendable, Codable {
  var wrappedValue: [UInt32]

  init(wrappedValue: [UInt32]) { self.wrappedValue = wrappedValue }

  init(from decoder: any Decoder) throws {
    wrappedValue = []
    let pairs = try PackedNumbers(from: decoder).numbers
    guard !pairs.isEmpty else { return }
    wrappedValue = Array(repeating: 0, count: LatencyScale.count)
    for index in stride(from: 0, to: pairs.count - 1, by: 2) where wrappedValue.indices.contains(Int(pairs[index])) {
      wrappedValue[Int(pairs[index])] = UInt32(truncatingIfNeeded: pairs[index + 1])
    }
  }

  func encode(to encoder: any Encoder) throws {
    let used = wrappedValue.enumerated().filter { $0.element > 0 }
    try PackedNumbers(used.flatMap { [Int64($0.offset), Int64($0.element)] }).encode(to: encoder)
  }
}

/// Logarithmic buckets for one second's latencies: 32 per octave from 1 µs to 71 minutes, 4 KB per second.
///
/// Bucket of v, with e = ⌊log₂ v⌋: 32 · (e − 10) + the five bits of v below its highest.
package enum LatencyScale {
  private static let lowest = 10
  private static let octaves = 32
  /// Two neighbouring buckets differ by about 2 %.
  package static let perOctave = 32
  /// The number of buckets.
  package static let count = octaves * perOctave

  /// A value outside the scale is in the first or the last bucket.
  package static func bucket(of nanoseconds: Nanoseconds) -> Int {
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

  /// Four buckets per octave: pairs of the upper bound in microseconds and the count. Empty buckets are left out.
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

extension [String: Int] {
  mutating func count(_ reason: String, _ times: Int = 1) { self[reason, default: 0] += times }

  mutating func merge(_ other: [String: Int]) { merge(other) { $0 + $1 } }

  /// Most frequent first.
  var reasons: [ReasonCount] {
    map { ReasonCount(reason: $0.key, count: $0.value) }.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }
}

/// The time at which the scenario planned a request, and the part of the delay since then that murphy caused.
struct Intent {
  /// The intended start: the time of an arrival, the end of a think time, the slot of a burst, or the end of the
  /// previous response.
  var due: Instant
  /// The time from when the client could send until murphy did, nanoseconds. A wait for the user's own connections, or
  /// for the previous response, is the API's time.
  var late: Int64 = 0
  /// The time until a newer query supersedes this one, nanoseconds, by the plan and not by the responses; nil for
  /// never.
  var patience: Int64?

  /// The time that a request without a response had waited. Murphy's own delay does not count.
  func waited(until ended: Instant) -> Int64 {
    max(ended - due - (late > LatencyAccount.onTime ? late : 0), 0)
  }
}

/// The results of one kind of session on one loop.
struct SessionTally: Sendable, Codable {
  var started = 0
  var completed = 0
  @Paired var failed: [String: Int] = [:]
  @Paired var left: [String: Int] = [:]
  var unfinished = 0

  mutating func merge(_ other: SessionTally) {
    started += other.started
    completed += other.completed
    failed.merge(other.failed)
    left.merge(other.left)
    unfinished += other.unfinished
  }

  /// Counts the sessions that did not end, such as a session in Swift that waits for something else.
  mutating func close() {
    unfinished = max(started - completed - failed.values.reduce(0, +) - left.values.reduce(0, +), 0)
  }
}

/// The reason why a planned request was never sent.
enum DropReason: Hashable, Sendable, Codable {
  /// Murphy processed it only after the load was over.
  case loadOver
  /// All of the user's connections waited for responses until the load was over.
  case noFreeConnection
  /// The user waits for the previous response, which was not received before the load was over.
  case responseBefore
  /// There are more users at the same time than murphy permits.
  case tooManyUsers(limit: Int)
  case feedEnded
  case unableToBegin(String)

  /// The cause of the missing response.
  var cause: CensoringCause {
    switch self {
    case .noFreeConnection, .responseBefore: .unsentApi
    case .loadOver, .tooManyUsers, .feedEnded, .unableToBegin: .unsentMurphy
    }
  }

  /// True if murphy had no capacity; false if the run ended or the scenario is the reason.
  var isForWantOfRoom: Bool { if case .tooManyUsers = self { true } else { false } }

  var text: String {
    switch self {
    case .loadOver: "the load was over"
    case .noFreeConnection: "the load was over before the user had a free connection"
    case .responseBefore: "the load was over before the user received the awaited response"
    case .tooManyUsers(let limit): "more than \(limit) users at the same time"
    case .feedEnded: "the values of a feed were used up"
    case .unableToBegin(let reason): "a session cannot start: \(reason)"
    }
  }
}

extension [DropReason: Int] {
  mutating func merge(_ other: [DropReason: Int]) { merge(other) { $0 + $1 } }

  /// Most frequent first.
  var reasons: [ReasonCount] {
    var texts: [String: Int] = [:]
    for (reason, count) in self { texts.count(reason.text, count) }
    return texts.reasons
  }
}
