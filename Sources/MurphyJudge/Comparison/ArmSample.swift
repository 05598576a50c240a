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
  package var errors = 0
  /// Requests that a rate limit rejected.
  package var limited = 0
  package var answers = 0
  /// The bytes of all bodies.
  package var bytes = 0
  /// Sessions of the run that began.
  package var sessions = 0
  /// The length of the load.
  package var seconds = 0.0

  package init() {}

  package init(_ operation: OperationRecord, sessions: Int, seconds: Double) {
    latencies = Self.latencies(operation.account)
    requests = operation.due
    succeeded = operation.succeeded
    errors = operation.errors
    limited = operation.outcomes.limited
    answers = operation.outcomes.answered - operation.outcomes.limited
    bytes = operation.bytesReceived
    self.sessions = sessions
    self.seconds = seconds
  }

  package init(_ operation: OperationResult, sessions: Int, seconds: Double) {
    let outcomes = operation.outcomes
    latencies = Self.latencies(operation.account)
    requests = (operation.samples ?? operation.requests - outcomes.limited) - outcomes.cancelled
    succeeded = operation.succeeded ?? outcomes.ok
    errors = outcomes.clientError + outcomes.serverError + outcomes.transport
    limited = outcomes.limited
    answers = outcomes.answered - outcomes.limited
    bytes = operation.bytesReceived
    self.sessions = sessions
    self.seconds = seconds
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
    answers += other.answers
    bytes += other.bytes
    sessions += other.sessions
    seconds += other.seconds
  }

  /// The reason why two arms cannot be compared; nil when they can.
  ///
  /// - Parameter place: `group 1`, `a run`.
  static func gap(_ arms: [ArmSample], base: ArmSample, _ metric: CompareMetric, in place: String) -> String? {
    if base.succeeded == 0 { return "\(place) has no request of the base that succeeded" }
    guard arms.contains(where: { $0.level(metric) == nil }) else { return nil }
    let fewest = arms.map(\.requests).min() ?? 0
    if fewest < metric.fewestRequests {
      return "\(place) has \(fewest) requests in one arm, and \(metric.fewestRequests) are needed"
    }
    return arms.contains { $0.succeeded == 0 }
      ? "\(place) has no request of the candidate that succeeded" : "\(place) has no data to compare"
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
      return answers > 0 && seconds > 0 ? log(Double(answers) / seconds) : nil
    case .bytes:
      return answers > 0 && bytes > 0 ? log(Double(bytes) / Double(answers)) : nil
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
