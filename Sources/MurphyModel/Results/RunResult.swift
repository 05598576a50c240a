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

/// What was run, against what, when, with which versions.
public struct RunInfo: Sendable, Codable, Hashable {
  /// The scenario's `name`.
  public var scenario: String
  /// Its path, as it was given.
  package var scenarioFile: String
  /// The first of the contract's files.
  package var contractFile: String
  /// All of the contract's files, documents and overlays, in the scenario's order; nil in results of earlier versions.
  package var contractFiles: [String]?
  /// What all draws and arrivals follow from.
  public var seed: UInt64
  /// What `uuid()`, `email()` and long `string()` were salted with; `--salt` with it repeats their very values.
  package var salt: UInt64?
  /// The target's URL, credentials masked.
  public var target: String
  /// RFC 3339, UTC.
  public var started: String
  /// Seconds from the first planned arrival to the last answer.
  public var duration: Double
  /// Microseconds that the system's resolver took for the target's name, once before the load; nil for an address.
  package var lookup: Double?
  /// Ctrl-C cut the load short.
  public var cutShort: Bool
  /// Seconds after which the silence of the target ended the load (`abort-after`); nil when it did not.
  package var aborted: Double?
  /// The budget that was lost before the load's end, so that the load was ended; nil when none did.
  package var lost: LostBudget?
  /// The credentials that stopped working, so that the load was ended; nil when they did not.
  package var lostCredentials: LostCredentials?
  /// What became of the scenario's `setup:`; nil without one.
  package var setup: FixtureResult?
  /// What became of its `teardown:`.
  package var teardown: FixtureResult?
  /// What was asked for access tokens (`auth: oauth2`); nil where no user needs one.
  package var tokens: TokenResult?
  /// Which shard of a run this is, for `murphy merge`; nil for a run of one process.
  package var shard: RunShard?
  /// Of a merged run: each shard by itself, and what is missing.
  package var shards: MergedShards?
  /// Why the preflight check failed, so that no load was sent, or only its first responses; nil when it passed.
  package var unreached: String?
  /// How murphy crashed, so that nothing which it measured is known; nil when it did not.
  package var crashed: String?
  /// The version of murphy.
  package var murphy: String
  /// The versions of libcurl and its libraries.
  package var libcurl: String
  /// System, cores and memory of the machine that made the load.
  package var machine: String
  /// The stages of the load, in order.
  package var load: [LoadStage]

  package init(
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

/// A budget that no rest of the load could have kept: the reason why the load was ended early.
package struct LostBudget: Sendable, Codable, Hashable {
  /// Seconds since the run's start.
  package var at: Double
  /// The operationId, or `*` for all together.
  package var operation: String
  /// What is bounded.
  package var metric: Budget.Metric
  /// The bound.
  package var limit: Measure
  /// Requests over the limit, or errors, by then.
  package var over: Int
  /// How many of the whole load's requests may be.
  package var allowed: Int
  /// The most requests that the whole load could have brought.
  package var requests: Int

  package init(
    at: Double, operation: String, metric: Budget.Metric, limit: Measure, over: Int, allowed: Int, requests: Int
  ) {
    self.at = at
    self.operation = operation
    self.metric = metric
    self.limit = limit
    self.over = over
    self.allowed = allowed
    self.requests = requests
  }

  /// `voteLaw p95 ≤ 200ms was lost after 12 s: …`, without a full stop.
  package var sentence: String {
    let what = metric == .errors ? "\(over) errors" : "\(over) requests over the limit"
    return
      "the budget \(operation == "*" ? "of all operations" : operation) \(metric.name) ≤ \(limit.text) was lost after "
      + "\(Duration.saturating(seconds: at).text): \(what), and the whole load of at most \(requests) may have \(allowed)"
  }
}

/// One promise about the run's own traffic: that its sessions end as scripted and that nothing it names stays
/// untested. Every run makes these promises; a scenario changes them or switches them off.
package struct TrafficRow: Sendable, Codable, Hashable {
  /// What is promised.
  package enum Rule: String, Sendable, Codable, Hashable, CaseIterable {
    /// The share of the sessions that ended which ended as scripted.
    case completed
    /// Every operation that a step of the run's sessions names is called and succeeds at least once.
    case called
    /// Every kind of session of the run completes at least once.
    case sessions
    /// The share of the requests that found the connection of an earlier answer still open.
    case connections
  }

  /// What is promised.
  package var kind: Rule
  /// As the scenario says it: `99%` for `completed` and `connections`, `all` or the names for the others.
  package var limit: String
  /// How many of `samples` kept it: sessions, operations, kinds of session, or requests.
  package var met: Int
  /// Sessions that ended, operations named, kinds of session, or requests that could take over a connection.
  package var samples: Int
  /// What did not keep it, most frequent first: the reasons of sessions that ended early with their counts, operations
  /// that were never called (0) or never succeeded (requests), or kinds of session that never completed with the sessions of it that began.
  package var exceptions: [ReasonCount]
  /// What was seen, for people, without a full stop.
  package var sentence: String
  /// How it came out.
  package private(set) var verdict: RowVerdict
  /// Of the samples, those that could have failed it; nil in results of earlier versions.
  package private(set) var trials: Int?
  /// Fingerprints of the findings that tell why it is broken.
  package var findings: [String] = []

  package init(
    kind: Rule, limit: String, met: Int, samples: Int, exceptions: [ReasonCount], sentence: String,
    state: CheckState
  ) {
    self.kind = kind
    self.limit = limit
    self.met = met
    self.samples = samples
    self.exceptions = exceptions
    self.sentence = sentence
    verdict = state.verdict
    trials = state.trials
  }

  /// How it came out, with its trials.
  package var state: CheckState {
    get { CheckState(verdict, trials: trials) }
    set { (verdict, trials) = (newValue.verdict, newValue.trials) }
  }
}

/// A stage of the load with its place in time.
package struct LoadStage: Sendable, Codable, Hashable {
  /// What `from` and `to` count.
  package enum Unit: String, Sendable, Codable {
    /// Sessions that begin in a second: the open model.
    case sessionsPerSecond = "sessions_per_second"
    /// Users with a session each: the closed model.
    case users
  }

  /// What `from` and `to` count.
  package var unit: Unit
  /// The load at the stage's beginning and end; it changes linearly in between.
  package var from: Double
  /// The load at the stage's end.
  package var to: Double
  /// Seconds since the run's start.
  package var start: Double
  /// Seconds from the run's start to the stage's end.
  package var end: Double

  package init(_ unit: Unit, from: Double, to: Double, start: Double, end: Double) {
    self.unit = unit
    self.from = from
    self.to = to
    self.start = start
    self.end = end
  }

  /// The load, as a scenario says it: `ramp 0/s..20/s`, `hold 20/s`, `50 users`.
  package var words: String {
    switch unit {
    case .sessionsPerSecond:
      let ends = (Rate(perSecond: from).text, Rate(perSecond: to).text)
      return from == to ? "hold \(ends.0)" : "ramp \(ends.0)..\(ends.1)"
    case .users:
      let ends = (Int(saturating: from), Int(saturating: to))
      return (from == to ? "\(ends.0)" : "\(ends.0)..\(ends.1)") + " users"
    }
  }

  /// `ramp 0/s..20/s for 10s`
  package var text: String { "\(words) for \(Duration.saturating(seconds: end - start).text)" }
}

extension [LoadStage] {
  /// The stage at `time`, seconds since the run's start; what comes after the last belongs to it.
  package func index(at time: Double) -> Int { firstIndex { time < $0.end } ?? Swift.max(count - 1, 0) }
}

/// Which murphy this is.
package enum ProductVersion {
  /// Semantic version of the product (semver.org).
  package static let text = "0.1.0"

  /// The `User-Agent` of requests that name none of their own.
  package static let userAgent = "murphy/" + text
}
