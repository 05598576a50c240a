/// The proof of a finding: the exchange and a command that reproduces it. Secrets are already masked.
public struct Evidence: Sendable, Codable, Hashable {
  /// The first exchange with the finding.
  public var exchange: Exchange?
  /// Shell commands on one line that reproduce the finding: `curl` for requests, `murphy` for a whole load.
  public var curl: ShellScript?
  /// JSON Pointer into the response body (RFC 6901).
  public var instancePointer: String?
  /// JSON Pointer into the contract.
  public var schemaPointer: String?
  /// The position of the broken check in the contract.
  package var source: SourceMark?
  /// The exchanges that together prove a finding of the state judge; nil for all others.
  package var witness: [WitnessExchange]?

  package init(
    exchange: Exchange? = nil, curl: ShellScript? = nil, instancePointer: String? = nil, schemaPointer: String? = nil,
    source: SourceMark? = nil
  ) {
    self.exchange = exchange
    self.curl = curl
    self.instancePointer = instancePointer
    self.schemaPointer = schemaPointer
    self.source = source
  }
}

/// One request and its response, as on the wire, cut to a size that fits a report.
public struct Exchange: Sendable, Codable, Hashable {
  /// The HTTP method.
  public var method: String
  /// The whole URL.
  public var url: String
  /// The request's headers in the order sent.
  public var requestHeaders: [HeaderField]
  /// Nil without a body.
  public var requestBody: String?
  /// Nil if no response was received.
  public var status: Int?
  /// The response's headers in the order received.
  public var responseHeaders: [HeaderField]
  /// The beginning of the body; bytes that are not UTF-8 are replaced.
  public var responseBody: String?
  /// The whole body's size in bytes.
  public var responseSize: Int
  /// Since the run's start.
  @InSeconds public var sent: Duration
  /// The time from the send to the last byte.
  @InMicroseconds public var took: Duration
  /// The trace-id that the request carried (W3C Trace Context §3.2.2.3); nil without one.
  package var traceId: String?
  /// True if the request asked the target to record the trace; nil without a trace.
  package var traceSampled: Bool?

  package init(
    method: String, url: String, requestHeaders: [HeaderField], requestBody: String?, status: Int?,
    responseHeaders: [HeaderField], responseBody: String?, responseSize: Int, sent: Duration, took: Duration
  ) {
    self.method = method
    self.url = url
    self.requestHeaders = requestHeaders
    self.requestBody = requestBody
    self.status = status
    self.responseHeaders = responseHeaders
    self.responseBody = responseBody
    self.responseSize = responseSize
    self.sent = sent
    self.took = took
  }
}

extension Exchange {
  /// `trace` and the trace-id, as reports show it; nil without a trace.
  package var traceText: String? { traceId.map { "trace \($0)" + (traceSampled == true ? "" : " (not sampled)") } }
}

/// One header.
public struct HeaderField: Sendable, Codable, Hashable {
  /// The name as written.
  public var name: String
  /// The value without surrounding spaces.
  public var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// How latency or the error rate of one operation follows the load or the time: the data of a drift finding.
package struct Drift: Sendable, Codable, Hashable {
  /// The quantity that grew.
  package enum Measure: String, Sendable, Codable {
    /// The geometric mean of the responses without errors, in microseconds.
    case latency
    /// Errors divided by requests, from 0 to 1.
    case errors
  }

  /// The quantity that it follows.
  package enum Axis: String, Sendable, Codable {
    /// Requests per second of all operations.
    case requests
    /// Users with a running session, for a load that is given in users.
    case users
    /// Seconds since the run's start.
    case time
  }

  /// Some consecutive seconds with about as many requests of the operation as in each other point.
  package struct Point: Sendable, Codable, Hashable {
    /// Seconds since the run's start.
    package var from: Double
    /// The end of the last second, in seconds since the run's start.
    package var until: Double
    /// Requests per second of all operations, or users.
    package var load: Double
    /// The number of requests of the operation in these seconds.
    package var requests: Int
    /// In the unit of the drift's measure.
    package var value: Double

    package init(from: Double, until: Double, load: Double, requests: Int, value: Double) {
      self.from = from
      self.until = until
      self.load = load
      self.requests = requests
      self.value = value
    }
  }

  /// The measured quantity that drifted.
  package var measure: Measure
  /// The quantity with which it drifted.
  package var axis: Axis
  /// The highest load without drift, or the time at which it began.
  package var threshold: Double
  /// The median of the points up to the threshold.
  package var low: Double
  /// The median of the points above the threshold.
  package var high: Double
  /// Load and time grew together: either may be the cause.
  package var isAmbiguous: Bool
  /// In order of time.
  package var points: [Point]

  package init(
    measure: Measure, axis: Axis, threshold: Double, low: Double, high: Double, isAmbiguous: Bool, points: [Point]
  ) {
    self.measure = measure
    self.axis = axis
    self.threshold = threshold
    self.low = low
    self.high = high
    self.isAmbiguous = isAmbiguous
    self.points = points
  }
}
