/// The public record of a run: what `result.json` holds, and all that a report is drawn from.
///
/// In the file the keys are snake_case. Durations are microseconds, times are seconds since the run's
/// start, unless a name says otherwise.
public struct RunResult: Sendable, Codable {
  /// The format that this version writes and reads.
  package static let currentFormat = "murphy-result/2"

  /// Which schema the file follows.
  package var format = RunResult.currentFormat
  /// What the run says of the release.
  public var verdict: Verdict
  /// Why, in sentences, the most important first. Empty for a pass.
  public var reasons: [String]
  /// What was run, against what, when.
  public var run: RunInfo
  /// One for each operation of the contract that the scenario names, and for requests outside of it.
  public var operations: [OperationResult]
  /// One for each kind of session.
  public var sessions: [SessionResult]
  /// One for each tag of the scenario; nil where it has none.
  package var tags: [TagResult]?
  /// The closed account of all requests.
  public var ledger: Ledger
  /// Worst first.
  public var findings: [Finding]
  /// One for each latency, error and throughput budget.
  public var budgets: [BudgetRow]
  /// One for each promise about the run's own traffic.
  package var traffic: [TrafficRow]
  /// One for each rate-limit policy.
  public var limits: [LimitRow]
  /// One for each invariant over sessions.
  public var state: [StateRow]
  /// One for each relation between answers and operation that the contract shows; nil in results of earlier versions.
  public var relations: [RelationRow]?
  /// Requests that murphy sent after the load to test relations, counted nowhere else; nil where it sent none.
  package var relationRequests: Int?
  /// What of the contract the run saw.
  public var coverage: Coverage
  /// Whether murphy itself kept up.
  package var generator: GeneratorReport
  /// One point a second.
  package var timeline: [TimelinePoint]
  /// What the run says against earlier ones; nil where none were given.
  package var regression: Regression?
  /// What an exploration tried; nil for a run of a scenario.
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

/// What the requests of one tag did under load: those of the steps and sessions that name it, whatever their operation.
package struct TagResult: Sendable, Codable {
  /// As the scenario writes it.
  package var tag: String
  /// The requests that ended, by how they did.
  package var outcomes: Outcomes
  /// Of the answers, from the intended start to the last byte.
  package var latency: LatencySummary

  package init(_ record: TagRecord) {
    tag = record.tag
    outcomes = record.outcomes
    latency = LatencySummary(record.latency)
  }

  /// Requests that ended, those that the client took back apart.
  package var requests: Int { outcomes.answered + outcomes.transport }

  /// Error statuses and lost requests; refusals of a rate limit are none.
  package var errors: Int { outcomes.errorAnswers + outcomes.transport }
}
