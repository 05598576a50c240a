/// The results of one operation of the contract under load.
public struct OperationResult: Sendable, Codable {
  /// The operationId.
  public var operation: String
  /// The HTTP method of the contract, `GET`.
  public var method: String
  /// The path template of the contract, `/laws/{id}`.
  public var path: String
  /// The number of requests sent.
  public var requests: Int
  /// Responses per second over the run that no rate limit rejected.
  public var throughput: Double
  /// The requests that ended, by outcome.
  public var outcomes: Outcomes
  /// The number of responses with each status, ascending by status.
  public var statuses: [StatusCount]
  /// The time from the intended start to the last byte.
  public var latency: LatencySummary
  /// The time from the actual send to the last byte.
  public var service: LatencySummary
  /// The parts of the service time; nil without responses, and in results of earlier versions.
  package var phases: PhaseSummary?
  /// The bytes of all bodies on the wire.
  public var bytesReceived: Int
  /// The responses that were streams of events; nil without any.
  package var streams: StreamFigures?
  /// The responses checked against the contract; nil in results of versions that counted them for the whole run only.
  package var conformance: Conformance?
  /// The requests that their clients repeated automatically, as `retry:` defines; nil without any.
  package var retries: Int?
  /// Responses with a status of 2xx, or with one that their step expects instead; nil in results of earlier versions.
  package var succeeded: Int?
  /// Requests that clients did not send because they had the response, as `cache:` and `dedupe:` define; nil without
  /// any.
  package var spared: Int?
  /// Requests that came due, answered or not. This and the following properties are nil in results of earlier versions.
  package var samples: Int?
  /// The samples for which the last byte of a response was received: the data of `latency` and `service`.
  package var answered: Int?
  /// The rest by the cause of their end, and the responses to requests that murphy sent late.
  package var censored: CensoredCounts?
  /// Latency over all samples: bounds that also hold for those without a response. Nil without samples.
  package var latencyBounds: LatencyIntervals?
  /// The same for service time.
  package var serviceBounds: LatencyIntervals?
  /// The waiting times of those without a response; nil if there are none and murphy was never late.
  package var waited: CensoredWaits?
  /// True for requests of the scenario that are not in the contract; nil for operations of it.
  package var undocumented: Bool?
  /// Each request counted once, by its result.
  package var ends: RequestEnds?
  /// The results over time; nil for operations with few requests compared with others, and in files of earlier
  /// versions.
  package var timeline: OperationTimeline?
  /// The sensitivity of the result that every response matches the contract; nil if one did not, or none was checked.
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

  /// Responses in which a violation of the contract would have been visible.
  package var contractTrials: Int { conformance?.trials ?? outcomes.answered - outcomes.limited }

  /// Sets the data about every request that came due.
  package mutating func enter(_ account: LatencyAccount) {
    let counts = account.censored.counts
    samples = account.samples
    answered = Int(account.latency.count)
    censored = counts
    latencyBounds = LatencyIntervals(LatencyDistribution(account))
    serviceBounds = LatencyIntervals(LatencyDistribution(account, isService: true))
    waited = counts == CensoredCounts() ? nil : account.censored
  }

  /// The data about every request that came due, as far as the result holds it: all except the counts for the limits of
  /// budgets.
  package var account: LatencyAccount {
    var account = LatencyAccount()
    account.latency = latency.histogram
    account.service = service.histogram
    if let waited { account.censored = waited }
    return account
  }
}

/// The number of responses with one status.
public struct StatusCount: Sendable, Codable, Hashable {
  /// The HTTP status.
  public var status: Int
  /// The number of responses.
  public var count: Int

  package init(status: Int, count: Int) {
    self.status = status
    self.count = count
  }
}

/// The outcomes of requests; the six add up to the requests that are no longer in flight.
public struct Outcomes: Sendable, Codable, Hashable {
  /// Responses with a status below 400, and others that their step expects.
  public var ok = 0
  /// Rejected by a rate limit: `RejectionRules`.
  public var limited = 0
  /// Responses with a status from 400 to 499 that are not rejections by a rate limit.
  public var clientError = 0
  /// Responses with a status of 500 or more.
  public var serverError = 0
  /// Requests without a complete response: connection refused, reset, timed out, cut off, not HTTP.
  public var transport = 0
  /// Cancelled by the client intentionally, such as a superseded search.
  public var cancelled = 0

  package init() {}

  /// Requests with any response.
  public var answered: Int { ok + limited + clientError + serverError }

  /// Responses with an error status that no step expects.
  package var errorResponses: Int { clientError + serverError }

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

/// A histogram with its usual percentiles.
public struct LatencySummary: Sendable, Codable {
  /// The number of samples.
  public var count: Int
  /// The minimum.
  @InMicroseconds public var min: Duration
  /// The arithmetic mean.
  @InMicroseconds public var mean: Duration
  /// The median.
  @InMicroseconds public var p50: Duration
  /// The 75th percentile.
  @InMicroseconds package var p75: Duration
  /// The 90th percentile.
  @InMicroseconds public var p90: Duration
  /// The 95th percentile.
  @InMicroseconds public var p95: Duration
  /// The 99th percentile.
  @InMicroseconds public var p99: Duration
  /// The 99.9th percentile.
  @InMicroseconds package var p999: Duration
  /// The maximum.
  @InMicroseconds public var max: Duration
  /// All samples, for merging with others.
  package var histogram: LatencyHistogram

  package init(_ histogram: LatencyHistogram) {
    count = Int(histogram.count)
    min = .measured(histogram.min)
    let buckets = histogram.buckets
    mean = .measured(Int64(saturating: histogram.mean(of: buckets)))
    let percentiles = histogram.percentiles([50, 75, 90, 95, 99, 99.9], of: buckets).map(Duration.measured)
    (p50, p75, p90) = (percentiles[0], percentiles[1], percentiles[2])
    (p95, p99, p999) = (percentiles[3], percentiles[4], percentiles[5])
    max = .measured(histogram.max)
    self.histogram = histogram
  }
}

/// The results of one kind of session.
public struct SessionResult: Sendable, Codable {
  /// Its name in the scenario.
  public var session: String
  /// The number of sessions that began.
  public var started: Int
  /// The number of sessions that completed their last step.
  public var completed: Int
  /// Sessions that a failed step ended, by reason, most frequent first.
  public var failed: [ReasonCount]
  /// Sessions that an `on:` rule of the scenario ended before the last step, by reason, most frequent first.
  package var left: [ReasonCount]
  /// Sessions still running after the load and its grace period: neither completed nor failed.
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

  /// The number of sessions that a failed step ended.
  package var failedTotal: Int { failed.reduce(0) { $0 + $1.count } }
  /// The number of sessions that an `on:` rule of the scenario ended.
  package var leftTotal: Int { left.reduce(0) { $0 + $1.count } }
}

extension SessionResult {
  /// Results of versions that did not distinguish `left` from `failed` have no such key.
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

/// A reason and the number of its occurrences.
public struct ReasonCount: Sendable, Codable, Hashable {
  /// For people, without a full stop.
  public var reason: String
  /// The number of occurrences.
  public var count: Int

  package init(reason: String, count: Int) {
    self.reason = reason
    self.count = count
  }

  /// The reason of a session that a response with this status ended.
  package static func reason(_ operation: String, status: Int) -> String { "\(operation): status \(status)" }
}

/// The responses that were streams of events (`text/event-stream`). The latency of each ends with its header section;
/// its events are counted but not checked.
package struct StreamFigures: Sendable, Codable, Hashable {
  /// Streams that began.
  package var streams = 0
  /// Events received before the client closed the streams. Events in a content coding are not counted.
  package var events = 0
  /// The streams whose connection broke before the server or the client ended them.
  package var broken = 0

  package init() {}

  /// Adds the figures of another operation or loop.
  package static func += (sum: inout StreamFigures, other: StreamFigures) {
    sum.streams += other.streams
    sum.events += other.events
    sum.broken += other.broken
  }
}
