/// One second of the run.
package struct TimelinePoint: Sendable, Codable, Hashable {
  /// Seconds since the start, at the beginning of this second.
  package var second: Int
  /// Requests whose due time was in this second.
  package var planned: Int
  /// Requests sent in this second.
  package var sent: Int
  /// Outcomes of the requests that ended in this second.
  package var outcomes: Outcomes
  /// Users with a running session, at the end of the second.
  package var users: Int
  /// Occurrences of findings in this second.
  package var findings: Int
  /// Latency percentiles of responses that arrived in this second, in microseconds; nil without responses.
  package var p50: Double?
  /// The 95th percentile.
  package var p95: Double?
  /// The 99th percentile.
  package var p99: Double?
  /// The longest latency of the second, in microseconds; nil without a response.
  package var max: Double?
  /// The latency of the responses in few buckets, for the heat map: upper bound in microseconds and count, alternating.
  package var buckets: [Double]

  package init(second: Int) {
    self.second = second
    planned = 0
    sent = 0
    outcomes = Outcomes()
    users = 0
    findings = 0
    buckets = []
  }
}

/// The results of an operation over the run, for its charts: at most 120 steps of equal length.
package struct OperationTimeline: Sendable, Codable, Hashable {
  /// The length of a step in seconds.
  package var step: Int
  /// Requests that ended, by step.
  package var requests: [Int]
  /// The requests without a response, or with an error status.
  package var errors: [Int]
  /// The geometric mean of the latencies, in microseconds; 0 for a step without any.
  package var latency: [Double]

  private static let mostSteps = 120

  /// Nil for an operation without an ended request.
  package init?(_ course: OperationCourse) {
    let seconds = course.seconds
    guard seconds.contains(where: { $0.ends > 0 }) else { return nil }
    let step = (seconds.count + Self.mostSteps - 1) / Self.mostSteps
    let parts = stride(from: 0, to: seconds.count, by: step).map { start in
      seconds[start..<min(start + step, seconds.count)].reduce(into: OperationCourse.Second()) { $0 += $1 }
    }
    self.step = step
    requests = parts.map { Int($0.ends) }
    errors = parts.map { Int($0.errors) }
    latency = parts.map { part in
      guard part.timed > 0 else { return 0 }
      return (LogarithmicStep.nanoseconds(Double(part.steps) / Double(part.timed)) / 100).rounded() / 10
    }
  }
}
