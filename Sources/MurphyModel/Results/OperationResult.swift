/// What one operation of the contract did under load.
public struct OperationResult: Sendable, Codable {
  /// The operationId.
  public var operation: String
  /// The HTTP method of the contract, `GET`.
  public var method: String
  /// The path template of the contract, `/laws/{id}`.
  public var path: String
  /// Requests sent.
  public var requests: Int
  /// Responses per second over the run that no rate limit rejected.
  public var throughput: Double
  /// The requests that ended, by how they did.
  public var outcomes: Outcomes
  /// How often each status was answered, ascending by status.
  public var statuses: [StatusCount]
  /// From the intended start to the last byte.
  public var latency: LatencySummary
  /// From the actual send to the last byte.
  public var service: LatencySummary
  /// Where the service time went; nil without answers, and in results of earlier versions.
  package var phases: PhaseSummary?
  /// Of all bodies, as they came over the wire.
  public var bytesReceived: Int
  /// The answers that were streams of events; nil without any.
  package var streams: StreamFigures?
  /// The answers held against the contract; nil in results of versions that counted them for the whole run only.
  package var conformance: Conformance?
  /// Of the requests: those that their clients sent again by themselves, as `retry:` says; nil without any.
  package var retries: Int?
  /// Responses with a status of 2xx, or one that their step expects in place of 2xx; nil in results of earlier versions.
  package var succeeded: Int?
  /// Requests that clients did not send, for they had the answer, as `cache:` and `dedupe:` say; nil without any.
  package var spared: Int?
  /// Requests that came due, answered or not. This and what follows is nil in results of earlier versions.
  package var samples: Int?
  /// Those of the samples of which the last byte of an answer came: what `latency` and `service` hold.
  package var answered: Int?
  /// The rest by what ended it, and the answers to requests that murphy sent late.
  package var censored: CensoredCounts?
  /// Latency over all samples: what is surely true of those without an answer as well. Nil without samples.
  package var latencyBounds: LatencyIntervals?
  /// The same for service time.
  package var serviceBounds: LatencyIntervals?
  /// How long those without an answer had waited; nil when there are none and murphy was never late.
  package var waited: CensoredWaits?
  /// True for requests that the scenario makes outside of the contract; nil for operations of it.
  package var undocumented: Bool?
  /// Each request under the one thing that became of it.
  package var ends: RequestEnds?
  /// What it did over time; nil for operations with few requests beside others, and in files of earlier versions.
  package var timeline: OperationTimeline?
  /// What it is worth that every answer kept the contract; nil where one did not, or none was checked.
  package var strength: ContractStrength?

  package init(
    operation: String, method: String, path: String, requests: Int, throughput: Double, outcomes: Outcomes,
    statuses: [StatusCount], latency: LatencySummary, service: LatencySummary, bytesReceived: Int,
    conformance: Conformance? = nil
  ) {
    self.operation = operation
    self.method = method
    self.path = path
    self.requests = requests
    self.throughput = throughput
    self.outcomes = outcomes
    self.statuses = statuses
    self.latency = latency
    self.service = service
    self.bytesReceived = bytesReceived
    self.conformance = conformance
  }
}

extension OperationResult {
  /// Responses in which a violation of the contract would have been visible.
  package var contractTrials: Int { conformance?.trials ?? outcomes.answered - outcomes.limited }

  /// Enters what is known of every request that came due.
  package mutating func enter(_ account: LatencyAccount) {
    let counts = account.censored.counts
    samples = account.samples
    answered = Int(account.latency.count)
    censored = counts
    latencyBounds = LatencyIntervals(LatencyDistribution(account))
    serviceBounds = LatencyIntervals(LatencyDistribution(account, isService: true))
    waited = counts == CensoredCounts() ? nil : account.censored
  }

  /// What is known of every request that came due, as far as the result holds it: all but the counts of the budgets'
  /// own limits.
  package var account: LatencyAccount {
    var account = LatencyAccount()
    account.latency = latency.histogram
    account.service = service.histogram
    if let waited { account.censored = waited }
    return account
  }
}

/// How often one status was answered.
public struct StatusCount: Sendable, Codable, Hashable {
  /// The HTTP status.
  public var status: Int
  /// How many there are.
  public var count: Int

  package init(status: Int, count: Int) {
    self.status = status
    self.count = count
  }
}

/// How requests ended; the six add up to the requests that are no longer in flight.
public struct Outcomes: Sendable, Codable, Hashable {
  /// Answers with a status below 400, and others that their step asks for.
  public var ok = 0
  /// Rejected by a rate limit: `RejectionRules`.
  public var limited = 0
  /// Answers with a status from 400 to 499 that are not refusals of a rate limit.
  public var clientError = 0
  /// Answers with a status of 500 or more.
  public var serverError = 0
  /// No complete answer: connection refused, reset, timed out, cut off, not HTTP.
  public var transport = 0
  /// Given up by the client on purpose, as a superseded search is.
  public var cancelled = 0

  package init() {}

  /// Requests with an answer, whatever it was.
  public var answered: Int { ok + limited + clientError + serverError }

  /// Answers with an error status that no step asks for.
  package var errorAnswers: Int { clientError + serverError }

  /// Adds the counts of another operation or loop.
  package static func += (sum: inout Outcomes, other: Outcomes) {
    sum.ok += other.ok
    sum.limited += other.limited
    sum.clientError += other.clientError
    sum.serverError += other.serverError
    sum.transport += other.transport
    sum.cancelled += other.cancelled
  }
}

/// A histogram with its usual percentiles, microseconds.
public struct LatencySummary: Sendable, Codable {
  /// How many there are.
  public var count: Int
  /// The fastest.
  public var min: Double
  /// The arithmetic mean.
  public var mean: Double
  /// The median.
  public var p50: Double
  /// The 75th percentile.
  package var p75: Double
  /// The 90th percentile.
  public var p90: Double
  /// The 95th percentile.
  public var p95: Double
  /// The 99th percentile.
  public var p99: Double
  /// The 99.9th percentile.
  package var p999: Double
  /// The slowest.
  public var max: Double
  /// All of them, to be merged with others.
  package var histogram: LatencyHistogram

  package init(_ histogram: LatencyHistogram) {
    func microseconds(_ nanoseconds: Int64) -> Double { (Double(nanoseconds) / 100).rounded() / 10 }
    count = Int(histogram.count)
    min = microseconds(histogram.min)
    let buckets = histogram.buckets
    mean = microseconds(Int64(saturating: histogram.mean(of: buckets)))
    let percentiles = histogram.percentiles([50, 75, 90, 95, 99, 99.9], of: buckets).map(microseconds)
    (p50, p75, p90) = (percentiles[0], percentiles[1], percentiles[2])
    (p95, p99, p999) = (percentiles[3], percentiles[4], percentiles[5])
    max = microseconds(histogram.max)
    self.histogram = histogram
  }
}

/// What one kind of session did.
public struct SessionResult: Sendable, Codable {
  /// Its name in the scenario.
  public var session: String
  /// How many began.
  public var started: Int
  /// How many came to their last step.
  public var completed: Int
  /// Ended by a failed step, by reason, most frequent first.
  public var failed: [ReasonCount]
  /// Left before the last step because an `on:` of the scenario says so, by reason, most frequent first.
  package var left: [ReasonCount]
  /// Still running when the load and its grace were over: neither completed nor failed.
  public var unfinished: Int

  package init(
    session: String, started: Int, completed: Int, failed: [ReasonCount], unfinished: Int, left: [ReasonCount] = []
  ) {
    self.session = session
    self.started = started
    self.completed = completed
    self.failed = failed
    self.left = left
    self.unfinished = unfinished
  }

  /// How many a failed step ended.
  package var failedTotal: Int { failed.reduce(0) { $0 + $1.count } }
  /// How many left because an `on:` of the scenario says so.
  package var leftTotal: Int { left.reduce(0) { $0 + $1.count } }
}

extension SessionResult {
  /// Results of versions that did not tell `left` from `failed` have no such key.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      session: try container.decode(String.self, forKey: .session),
      started: try container.decode(Int.self, forKey: .started),
      completed: try container.decode(Int.self, forKey: .completed),
      failed: try container.decode([ReasonCount].self, forKey: .failed),
      unfinished: try container.decode(Int.self, forKey: .unfinished),
      left: try container.decodeIfPresent([ReasonCount].self, forKey: .left) ?? [])
  }
}

/// How often something happened for one reason.
public struct ReasonCount: Sendable, Codable, Hashable {
  /// For people, without a full stop.
  public var reason: String
  /// How many there are.
  public var count: Int

  package init(reason: String, count: Int) {
    self.reason = reason
    self.count = count
  }
}

/// The answers that were streams of events (`text/event-stream`). Each is answered with its header section, which its
/// latency ends with; its events are counted and not checked.
package struct StreamFigures: Sendable, Codable, Hashable {
  /// Streams that began.
  package var streams = 0
  /// Events that they brought before the client closed them. Those of streams in a content coding are not known.
  package var events = 0
  /// Of the streams: those whose connection broke before the server or the client ended them.
  package var broken = 0

  package init() {}

  /// Adds the figures of another operation or loop.
  package static func += (sum: inout StreamFigures, other: StreamFigures) {
    sum.streams += other.streams
    sum.events += other.events
    sum.broken += other.broken
  }
}
