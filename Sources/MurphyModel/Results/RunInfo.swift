/// The description of a run: scenario, target, time and versions.
public struct RunInfo: Sendable, Codable, Hashable {
  /// The scenario's `name`.
  public var scenario: String
  /// A fingerprint of the load's texts: the scenario's file and the files that it names, without the contract, and the
  /// options that select sessions. Nil in results of earlier versions and of explorations.
  package var scenarioDigest: String?
  /// The path of the scenario file, as given.
  package var scenarioFile: String
  /// The first of the contract's files.
  package var contractFile: String
  /// All of the contract's files, documents and overlays, in the scenario's order; nil in results of earlier versions.
  package var contractFiles: [String]?
  /// The source of all random values and arrivals.
  public var seed: UInt64
  /// The salt of `uuid()`, `email()` and long `string()`; `--salt` with it reproduces exactly the same values.
  package var salt: UInt64?
  /// The target's URL, credentials masked.
  public var target: String
  /// The faults of the reference API that murphy started for the run; nil if there were none.
  package var faults: [String]?
  /// RFC 3339, UTC.
  public var started: String
  /// From the first planned arrival to the last response.
  @InSeconds public var duration: Duration
  /// The time that the system's resolver took for the target's name, once before the load; nil for an address.
  @InMicroseconds package var lookup: Duration?
  /// Ctrl-C cut the load short.
  public var cutShort: Bool
  /// The time after which the silence of the target ended the load (`abort-after`); nil if it did not.
  @InSeconds package var aborted: Duration?
  /// The budget that failed before the load's end and so ended the load; nil if none did.
  package var lost: LostBudget?
  /// The credentials that stopped working and so ended the load; nil if they did not.
  package var lostCredentials: LostCredentials?
  /// The result of the scenario's `setup:`; nil without one.
  package var setup: FixtureResult?
  /// The result of its `teardown:`.
  package var teardown: FixtureResult?
  /// The requests for access tokens (`auth: oauth2`, `--login`, `--token-command`); nil if no user needs one.
  package var tokens: TokenResult?
  /// The shard of a run, for `murphy merge`; nil for a run of one process.
  package var shard: RunShard?
  /// For a merged run: each shard separately, and the missing ones.
  package var shards: MergedShards?
  /// Why the preflight check failed, so that no load was sent, or only its first responses; nil if it passed.
  package var unreached: String?
  /// How murphy crashed, so that its measurements are lost; nil if it did not.
  package var crashed: String?
  /// The version of murphy.
  package var murphy: String
  /// The versions of libcurl and its libraries.
  package var libcurl: String
  /// System, cores and memory of the machine that generated the load.
  package var machine: String
  /// The stages of the load, in order.
  package var load: [LoadStage]

  package init(
    scenario: String, scenarioFile: String, contractFile: String, seed: UInt64, target: String, started: String,
    duration: Duration, cutShort: Bool, murphy: String, libcurl: String, machine: String, load: [LoadStage],
    aborted: Duration? = nil, salt: UInt64? = nil, contractFiles: [String]? = nil
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

/// A budget that the rest of the load could not pass: the reason why the load was ended early.
package struct LostBudget: Sendable, Codable, Hashable {
  /// Since the run's start.
  @InSeconds package var at: Duration
  /// The operationId, or `*` for all together.
  package var operation: String
  /// The metric of the budget.
  package var metric: Budget.Metric
  /// The limit of the budget.
  package var limit: Measure
  /// Requests over the limit, or errors, up to that time.
  package var over: Int
  /// The number of the whole load's requests that may be over the limit.
  package var allowed: Int
  /// The maximum number of requests in the whole load.
  package var requests: Int

  package init(
    at: Duration, operation: String, metric: Budget.Metric, limit: Measure, over: Int, allowed: Int, requests: Int
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
      "the budget \(operation == "*" ? "of all operations" : operation) \(metric.name) ≤ \(limit.text) could no longer "
      + "pass after \(at.text): the run had \(what), but the whole load of at most \(requests) requests may have at "
      + "most \(allowed)"
  }
}

/// The result of the setup or the teardown, whose requests are not in any other count.
package struct FixtureResult: Sendable, Codable, Hashable {
  /// Requests that were sent.
  package var requests: Int
  /// The time that it took.
  @InSeconds package var duration: Duration
  /// Why it did not complete; nil if it did.
  package var failed: String?

  package init(requests: Int, duration: Duration, failed: String?) {
    self.requests = requests
    self.duration = duration
    self.failed = failed
  }
}

/// The requests for access tokens, which are not in any other count.
package struct TokenResult: Sendable, Codable, Hashable {
  /// Requests that were sent.
  package var requests: Int
  /// The requests that returned no token.
  package var failed: Int
  /// Those that replaced a token; nil if none did.
  package var renewals: Int?

  package init(requests: Int, failed: Int) {
    self.requests = requests
    self.failed = failed
  }

  package static func + (left: TokenResult, right: TokenResult) -> TokenResult {
    var sum = TokenResult(requests: left.requests + right.requests, failed: left.failed + right.failed)
    sum.renewals = left.renewals.map { $0 + (right.renewals ?? 0) } ?? right.renewals
    return sum
  }
}

/// Credentials that stopped working while the load ran.
package struct LostCredentials: Sendable, Codable, Hashable {
  /// Since the run's start: the first response that rejected them.
  @InSeconds package var at: Duration
  /// Responses 401, or 401 and 403, from that time on.
  package var rejections: Int
  /// Those of them with status 403; nil if only 401 was counted.
  package var forbidden: Int?
  /// The successful write request before it: `POST /logout`; nil without one.
  package var after: String?

  package init(at: Duration, rejections: Int, forbidden: Int? = nil, after: String? = nil) {
    self.at = at
    self.rejections = rejections
    self.forbidden = forbidden
    self.after = after
  }

  /// `401`, `403`, `401 and 403`
  private var statuses: String {
    guard let forbidden else { return "401" }
    return forbidden < rejections ? "401 and 403" : "403"
  }

  /// `credentials stopped working at 40 s, after POST /logout`; for 403 only the observation: `from 40 s on,
  /// credentials that had worked got only status 403, after POST /logout`
  package var sentence: String {
    let time = at.text(places: 1)
    return
      (forbidden == nil
      ? "credentials stopped working at \(time)"
      : "from \(time) on, credentials that had worked got only status \(statuses)")
      + (after.map { ", after \($0)" } ?? "")
  }

  /// `after that time, 25 responses had status 401`
  package var count: String { "after that time, \(rejections) responses had status \(statuses)" }
}

/// A stage of the load with its start and end.
package struct LoadStage: Sendable, Codable, Hashable {
  /// The unit of `from` and `to`.
  package enum Unit: String, Sendable, Codable {
    /// Sessions that begin per second: the open model.
    case sessionsPerSecond = "sessions_per_second"
    /// Users with a session each: the closed model.
    case users
  }

  /// The unit of `from` and `to`.
  package var unit: Unit
  /// The load at the stage's beginning; it changes linearly to `to`.
  package var from: Double
  /// The load at the stage's end.
  package var to: Double
  /// Since the run's start.
  @InSeconds package var start: Duration
  /// From the run's start to the stage's end.
  @InSeconds package var end: Duration

  package init(_ unit: Unit, from: Double, to: Double, start: Duration, end: Duration) {
    self.unit = unit
    self.from = from
    self.to = to
    self.start = start
    self.end = end
  }

  /// The load in the notation of a scenario: `ramp 0/s..20/s`, `hold 20/s`, `50 users`.
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
  package var text: String { "\(words) for \((end - start).text)" }

  /// The stage at a time since the run's start; times after the last stage belong to it. In nanoseconds, because every
  /// request reads it.
  @inlinable package static func index(at time: Int64, ends: [Int64]) -> Int {
    ends.firstIndex { time < $0 } ?? max(ends.count - 1, 0)
  }
}

/// The version of murphy.
package enum ProductVersion {
  /// Semantic version of the product (semver.org).
  package static let text = "0.2.0"

  /// The `User-Agent` of requests that do not set their own.
  package static let userAgent = "murphy/" + text
}
