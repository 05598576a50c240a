/// The public record of a run: the content of `result.json`, and the complete input of a report.
///
/// In the file the keys are snake_case. Durations are in microseconds, times are in seconds since the run's start,
/// unless a name states otherwise.
public struct RunResult: Sendable, Codable {
  /// The format that this version writes and reads.
  package static let currentFormat = "murphy-result/2"

  /// The schema of the file.
  package var format = RunResult.currentFormat
  /// The verdict of the run on the release.
  public var verdict: Verdict
  /// The reasons, in sentences, the most important first. Empty for a pass.
  public var reasons: [String]
  /// The description of the run: scenario, target and time.
  public var run: RunInfo
  /// One result for each operation of the contract that the scenario names, and for requests outside of it.
  public var operations: [OperationResult]
  /// One for each kind of session.
  public var sessions: [SessionResult]
  /// One for each tag of the scenario; nil without tags.
  package var tags: [TagResult]?
  /// The account of all requests.
  public var ledger: Ledger
  /// Worst first.
  public var findings: [Finding]
  /// One for each latency, error and throughput budget.
  public var budgets: [BudgetRow]
  /// One for each check of the run's own traffic.
  package var traffic: [TrafficRow]
  /// One for each rate-limit policy.
  public var limits: [LimitRow]
  /// One for each invariant over sessions.
  public var state: [StateRow]
  /// One for each relation between responses and each operation in the contract; nil in results of earlier versions.
  public var relations: [RelationRow]?
  /// Requests that murphy sent after the load to test relations, not counted anywhere else; nil without any.
  package var relationRequests: Int?
  /// The part of the contract that the run covered.
  public var coverage: Coverage
  /// Whether murphy itself was fast enough.
  package var generator: GeneratorReport
  /// One point per second.
  package var timeline: [TimelinePoint]
  /// The comparison with earlier runs; nil without them.
  package var regression: Regression?
  /// The results of an exploration; nil for a run of a scenario.
  package var explored: Exploration?
  /// The spans of the target; nil if murphy received none, because the run had no receiver.
  package var spans: SpanReport?

  package init(
    verdict: Verdict, reasons: [String], run: RunInfo, operations: [OperationResult], sessions: [SessionResult],
    ledger: Ledger, findings: [Finding], budgets: [BudgetRow], limits: [LimitRow], state: [StateRow],
    coverage: Coverage, generator: GeneratorReport, timeline: [TimelinePoint], traffic: [TrafficRow] = []
  ) {
    self.verdict = verdict
    self.reasons = reasons
    self.run = run
    self.operations = operations
    self.sessions = sessions
    self.ledger = ledger
    self.findings = findings
    self.budgets = budgets
    self.traffic = traffic
    self.limits = limits
    self.state = state
    self.coverage = coverage
    self.generator = generator
    self.timeline = timeline
  }

  /// The exit status of the run: the verdict's own, or that of a failed preflight check.
  public var exitStatus: ExitStatus { run.unreached == nil ? verdict.exitStatus : .unreachable }
}

/// The results of the requests of one tag under load: those of the steps and sessions with the tag, for any operation.
package struct TagResult: Sendable, Codable {
  /// The tag as the scenario writes it.
  package var tag: String
  /// The requests that ended, by outcome.
  package var outcomes: Outcomes
  /// The latency of responses, from the intended start to the last byte.
  package var latency: LatencySummary

  package init(_ record: TagRecord) {
    tag = record.tag
    outcomes = record.outcomes
    latency = LatencySummary(record.latency)
  }

  /// Requests that ended, except those that the client cancelled.
  package var requests: Int { outcomes.answered + outcomes.transport }

  /// Error statuses and lost requests, without rejections by a rate limit.
  package var errors: Int { outcomes.errorResponses + outcomes.transport }
}

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
  /// Latency percentiles of responses that arrived in this second; nil without responses.
  @InMicroseconds package var p50: Duration?
  /// The 95th percentile.
  @InMicroseconds package var p95: Duration?
  /// The 99th percentile.
  @InMicroseconds package var p99: Duration?
  /// The longest latency of the second; nil without a response.
  @InMicroseconds package var max: Duration?
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
