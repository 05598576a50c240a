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
}

extension RunResult {
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
  package var errors: Int { outcomes.errorAnswers + outcomes.transport }
}
