import Foundation
import MurphyModel

/// The results of one arm on one operation, in one group of slices or in one stored run. Parts merge by addition.
package struct ArmSample: Sendable {
  /// The latency from the intended start of every known request, ascending. Those without a response have the time that
  /// they waited.
  package var latencies: [LatencyHistogram.Bucket] = []
  /// Requests that came due and that no rate limit rejected.
  package var requests = 0
  /// Responses with a status of 2xx, or one that their step expects instead of 2xx.
  package var succeeded = 0
  /// Requests that failed, or whose response has an error status.
  package var errors = 0
  /// Requests that a rate limit rejected.
  package var limited = 0
  /// Responses that no rate limit rejected.
  package var responses = 0
  /// The bytes of all bodies.
  package var bytes = 0
  /// Sessions of the run that began.
  package var sessions = 0
  /// The length of the load.
  package var length = Duration.zero

  package init() {}

  package init(_ operation: OperationRecord, sessions: Int, over length: Duration) {
    latencies = Self.latencies(operation.account)
    requests = operation.due
    succeeded = operation.succeeded
    errors = operation.errors
    limited = operation.outcomes.limited
    responses = operation.outcomes.answered - operation.outcomes.limited
    bytes = operation.bytesReceived
    self.sessions = sessions
    self.length = length
  }

  package init(_ operation: OperationResult, sessions: Int, over length: Duration) {
    let outcomes = operation.outcomes
    latencies = Self.latencies(operation.account)
    requests = (operation.samples ?? operation.requests - outcomes.limited) - outcomes.cancelled
    succeeded = operation.succeeded ?? outcomes.ok
    errors = outcomes.clientError + outcomes.serverError + outcomes.transport
    limited = outcomes.limited
    responses = outcomes.answered - outcomes.limited
    bytes = operation.bytesReceived
    self.sessions = sessions
    self.length = length
  }

  /// Responses, and requests that waited without one: a timeout is slower than every earlier response. Requests that
  /// the client cancelled, or that murphy never sent, are excluded: they prove nothing about the API.
  private static func latencies(_ account: LatencyAccount) -> [LatencyHistogram.Bucket] {
    let waits = account.censored
    let lost = [waits.timeout, waits.reset, waits.end, waits.cutOff, waits.unsentApi].filter { !$0.isEmpty }
    let answered = account.latency.buckets
    return lost.isEmpty ? answered : SmoothQuantile.merged([answered] + lost.map(\.buckets))
  }

  /// Adds the sample of another slice or run of the same arm.
  package mutating func merge(_ other: ArmSample) {
    if latencies.isEmpty {
      latencies = other.latencies
    } else if !other.latencies.isEmpty {
      latencies = SmoothQuantile.merged([latencies, other.latencies])
    }
    requests += other.requests
    succeeded += other.succeeded
    errors += other.errors
    limited += other.limited
    responses += other.responses
    bytes += other.bytes
    sessions += other.sessions
    length += other.length
  }

  /// The reason why two arms cannot be compared; nil when they can.
  ///
  /// - Parameter place: `group 1`, `a run`.
  static func gap(_ arms: [ArmSample], base: ArmSample, _ metric: CompareMetric, in place: String) -> String? {
    if base.succeeded == 0 { return "\(place) has no successful request of the base" }
    guard arms.contains(where: { $0.level(metric) == nil }) else { return nil }
    let fewest = arms.map(\.requests).min() ?? 0
    if fewest < metric.fewestRequests {
      return "\(place) has only \(fewest) requests on one side, but \(metric.fewestRequests) are needed"
    }
    return arms.contains { $0.succeeded == 0 }
      ? "\(place) has no successful request of the candidate" : "\(place) has no data to compare"
  }

  /// On the scale of the differences: the logarithm of nanoseconds, of responses per second and so on; for errors and
  /// rejections their share. Nil where there are too few measurements.
  package func level(_ metric: CompareMetric) -> Double? {
    guard requests >= metric.fewestRequests, succeeded > 0 || metric.isShare else { return nil }
    switch metric {
    case .p50, .p95, .p99:
      return metric.quantile.flatMap { SmoothQuantile.log($0, of: latencies) }
    case .errors:
      return min(Double(errors) / Double(requests), 1)
    case .limited:
      return Double(limited) / Double(requests + limited)
    case .throughput:
      return responses > 0 && length > .zero ? log(Double(responses) / length.inSeconds) : nil
    case .bytes:
      return responses > 0 && bytes > 0 ? log(Double(bytes) / Double(responses)) : nil
    case .requestsPerSession:
      return sessions > 0 ? log(Double(requests + limited) / Double(sessions)) : nil
    }
  }
}

extension CompareMetric {
  /// The difference of two levels, positive where the candidate is worse.
  package func worsening(base: Double, candidate: Double) -> Double {
    isBetterHigher ? base - candidate : candidate - base
  }

  /// A level in readable units: microseconds, a share, responses per second, bytes.
  package func value(level: Double) -> Double {
    switch self {
    case .p50, .p95, .p99: exp(level) / 1000
    case .errors, .limited: level
    case .throughput, .bytes, .requestsPerSession: exp(level)
    }
  }
}

/// One metric of one operation over the groups of a live comparison.
package struct MetricSeries: Sendable {
  /// The operationId.
  package var operation: String
  /// The metric of the series.
  package var metric: CompareMetric
  /// By group, levels of base and candidate.
  package var levels: [(base: Double, candidate: Double)]
  /// By group, positive where the candidate is worse.
  package var worsenings: [Double]
  /// The reason why a series does not exist; nil when it exists.
  package var gap: String?
  /// The smallest number of requests of one arm over all groups.
  package var requests = 0

  /// Every metric of every operation that an arm called, in the order of `operations`.
  package static func all(
    _ groups: [GroupSample], operations: [String], metrics: [CompareMetric] = CompareMetric.allCases
  ) -> [MetricSeries] {
    operations.flatMap { operation in metrics.map { MetricSeries(operation, $0, groups) } }
  }

  init(_ operation: String, _ metric: CompareMetric, _ groups: [GroupSample]) {
    self.operation = operation
    self.metric = metric
    levels = []
    var (base, candidate) = (0, 0)
    for (number, group) in groups.enumerated() {
      let arms = (group.base[operation] ?? ArmSample(), group.candidate[operation] ?? ArmSample())
      base += arms.0.requests
      candidate += arms.1.requests
      let lack = ArmSample.gap([arms.0, arms.1], base: arms.0, metric, in: "group \(number + 1)")
      if lack == nil, let low = arms.0.level(metric), let high = arms.1.level(metric) {
        levels.append((low, high))
      } else if gap == nil {
        gap = lack
      }
    }
    requests = min(base, candidate)
    if groups.isEmpty { gap = "no group was measured" }
    worsenings = gap == nil ? levels.map { metric.worsening(base: $0.base, candidate: $0.candidate) } : []
  }

  /// The mean worsening of the groups.
  package var mean: Double { worsenings.mean }

  /// The standard deviation of the differences, with n − 1.
  package var deviation: Double {
    worsenings.count > 1 ? (worsenings.squares / Double(worsenings.count - 1)).squareRoot() : 0
  }
}

/// The results of both arms in one group, by operation.
package struct GroupSample: Sendable {
  /// By operationId.
  package var base: [String: ArmSample]
  /// By operationId.
  package var candidate: [String: ArmSample]

  package init(base: [String: ArmSample] = [:], candidate: [String: ArmSample] = [:]) {
    self.base = base
    self.candidate = candidate
  }
}

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
