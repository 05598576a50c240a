/// How one promise came out.
public enum RowVerdict: String, Sendable, Codable, Hashable {
  case pass
  case fail
  case noData = "no-data"
}

/// One budget: `listLaws p95 ≤ 300ms`.
public struct BudgetRow: Sendable, Codable, Hashable {
  /// The operationId, or `*` for all together.
  public var operation: String
  /// `p95`, `errors`, `mean`, `throughput` …
  public var metric: String
  /// As the scenario says it: `300ms`, `0.1%`.
  public var limit: String
  /// As measured, in the limit's unit; nil without samples.
  public var observed: String?
  public var samples: Int
  /// The fewest samples that can decide this budget.
  public var samplesNeeded: Int
  public var verdict: RowVerdict

  public init(
    operation: String, metric: String, limit: String, observed: String?, samples: Int, samplesNeeded: Int,
    verdict: RowVerdict
  ) {
    self.operation = operation
    self.metric = metric
    self.limit = limit
    self.observed = observed
    self.samples = samples
    self.samplesNeeded = samplesNeeded
    self.verdict = verdict
  }
}

/// One invariant over sessions.
public struct StateRow: Sendable, Codable, Hashable {
  public var name: String
  public var sentence: String
  public var samples: Int
  public var verdict: RowVerdict

  public init(name: String, sentence: String, samples: Int, verdict: RowVerdict) {
    self.name = name
    self.sentence = sentence
    self.samples = samples
    self.verdict = verdict
  }
}

/// What of the contract the run saw.
public struct Coverage: Sendable, Codable, Hashable {
  /// Every coverable thing, in the contract's order.
  public var items: [CoverageItem]
  /// The gate from the scenario, per cent, and its row.
  public var required: Double?
  public var verdict: RowVerdict?

  public init(items: [CoverageItem] = [], required: Double? = nil, verdict: RowVerdict? = nil) {
    self.items = items
    self.required = required
    self.verdict = verdict
  }

  public var seen: Int { items.count { $0.count > 0 } }
  /// Seen over all, per cent; nil when nothing can be covered.
  public var percent: Double? { items.isEmpty ? nil : Double(seen) * 100 / Double(items.count) }
}

/// One coverable thing of the contract.
public struct CoverageItem: Sendable, Codable, Hashable {
  /// `operation`, `status`, `media-type`, `header`, `branch`, `enum`, `property`.
  public var kind: String
  /// The operationId.
  public var operation: String
  /// `200`, `application/json`, `/data/0/title` …
  public var name: String
  /// How many answers showed it.
  public var count: Int

  public init(kind: String, operation: String, name: String, count: Int) {
    self.kind = kind
    self.operation = operation
    self.name = name
    self.count = count
  }
}

/// Whether murphy itself kept up.
public struct GeneratorReport: Sendable, Codable {
  public var loops: Int
  /// How late sends were, from their intended start.
  public var lateness: LatencySummary
  /// Times that a loop was away for longer than 50 ms.
  public var loopStalls: Int
  /// The longest time away of any loop, microseconds.
  public var longestStall: Double
  /// CPU time over elapsed time of one loop's core, per cent, the busiest loop.
  public var cpuPercent: Double
  /// Planned requests per second.
  public var offered: Double
  /// Sent requests per second.
  public var achieved: Double
  public var peakUsers: Int
  /// Resident memory at its highest, bytes.
  public var peakMemory: Int
  /// Why the generator's numbers cannot carry a verdict; empty when they can.
  public var doubts: [String]

  public init(
    loops: Int, lateness: LatencySummary, loopStalls: Int, longestStall: Double, cpuPercent: Double,
    offered: Double, achieved: Double, peakUsers: Int, peakMemory: Int, doubts: [String]
  ) {
    self.loops = loops
    self.lateness = lateness
    self.loopStalls = loopStalls
    self.longestStall = longestStall
    self.cpuPercent = cpuPercent
    self.offered = offered
    self.achieved = achieved
    self.peakUsers = peakUsers
    self.peakMemory = peakMemory
    self.doubts = doubts
  }
}

/// One second of the run.
public struct TimelinePoint: Sendable, Codable, Hashable {
  /// Seconds since the start, the beginning of this second.
  public var second: Int
  public var planned: Int
  public var sent: Int
  public var outcomes: Outcomes
  /// Users with a session running, at the end of the second.
  public var users: Int
  public var findings: Int
  /// Latency percentiles of answers that arrived in this second, microseconds; nil without answers.
  public var p50: Double?
  public var p95: Double?
  public var p99: Double?
  public var max: Double?
  /// The answers' latency in few buckets, for the heat map: upper bound in microseconds and count, in turn.
  public var buckets: [Double]

  public init(second: Int) {
    self.second = second
    planned = 0
    sent = 0
    outcomes = Outcomes()
    users = 0
    findings = 0
    buckets = []
  }
}
