/// The public record of a run: what `result.json` holds, and all that a report is drawn from.
///
/// In the file the keys are snake_case. Durations are microseconds, times are seconds since the run's
/// start, unless a name says otherwise.
public struct RunResult: Sendable, Codable {
  public static let currentFormat = "murphy-result/2"

  public var format = RunResult.currentFormat
  public var verdict: Verdict
  /// Why, in sentences, the most important first. Empty for a pass.
  public var reasons: [String]
  public var run: RunInfo
  public var operations: [OperationResult]
  public var sessions: [SessionResult]
  public var ledger: Ledger
  /// Worst first.
  public var findings: [Finding]
  public var budgets: [BudgetRow]
  public var traffic: [TrafficRow]
  public var limits: [LimitRow]
  public var state: [StateRow]
  public var coverage: Coverage
  public var generator: GeneratorReport
  /// One point a second.
  public var timeline: [TimelinePoint]

  public init(
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
  /// The exit status of the run: the verdict's own, or that of a target that was not reached.
  public var exitStatus: ExitStatus { run.unreached == nil ? verdict.exitStatus : .unreachable }
}

/// What was run, against what, when, with which versions.
public struct RunInfo: Sendable, Codable, Hashable {
  /// The scenario's `name`.
  public var scenario: String
  public var scenarioFile: String
  /// The first of the contract's files.
  public var contractFile: String
  /// All of the contract's files, documents and overlays, in the scenario's order; nil in results of earlier versions.
  public var contractFiles: [String]?
  public var seed: UInt64
  /// What `uuid()`, `email()` and long `string()` were salted with; `--salt` with it repeats their very values.
  public var salt: UInt64?
  /// The target's URL, credentials masked.
  public var target: String
  /// RFC 3339, UTC.
  public var started: String
  /// Seconds from the first planned arrival to the last answer.
  public var duration: Double
  /// Ctrl-C cut the load short.
  public var cutShort: Bool
  /// Seconds after which the silence of the target ended the load (`abort-after`); nil when it did not.
  public var aborted: Double?
  /// Why the target was not reached before the load began, so that nothing was sent; nil when it was reached.
  public var unreached: String?
  public var murphy: String
  public var libcurl: String
  public var machine: String
  public var load: [LoadStage]

  public init(
    scenario: String, scenarioFile: String, contractFile: String, seed: UInt64, target: String, started: String,
    duration: Double, cutShort: Bool, murphy: String, libcurl: String, machine: String, load: [LoadStage],
    aborted: Double? = nil, salt: UInt64? = nil, contractFiles: [String]? = nil
  ) {
    self.scenario = scenario
    self.scenarioFile = scenarioFile
    self.contractFile = contractFile
    self.contractFiles = contractFiles
    self.seed = seed
    self.target = target
    self.started = started
    self.duration = duration
    self.cutShort = cutShort
    self.aborted = aborted
    self.murphy = murphy
    self.libcurl = libcurl
    self.machine = machine
    self.load = load
    self.salt = salt
  }
}
