/// The parts of the service time of one response, in nanoseconds. The sum of the phases is the time from the send to
/// the last byte.
///
/// Names are resolved once, before the load, for all users: ``RunInfo/lookup``.
package struct ServicePhases: Sendable, Hashable {
  /// The time until the connection was opened or free: attempts that were lost and repeated, and libcurl's own queue
  /// for an HTTP/2 stream.
  package var held: Int64 = 0
  /// The TCP handshake; nil on a connection that was already open.
  package var connect: Int64?
  /// The TLS handshake after it; nil if none was needed.
  package var tls: Int64?
  /// The time from when the connection could take the request to the first byte of a response.
  package var firstByte: Int64
  /// The time from the first byte to the last; 0 for a response in one piece.
  package var body: Int64 = 0

  package init(firstByte: Int64) { self.firstByte = firstByte }

  /// The sum of all phases: the service time.
  package var total: Int64 { held + (connect ?? 0) + (tls ?? 0) + firstByte + body }
}

/// The parts of the service time of responses, in addition to the histogram of their service time. Merged by adding.
///
/// Most responses come in one piece over an open connection: all of their service time is the wait for the first byte,
/// and nothing is recorded here.
package struct PhaseAccount: Sendable, Codable {
  /// For the responses in which it is not 0.
  package private(set) var held = LatencyHistogram()
  /// For the responses that opened a connection.
  package private(set) var connect = LatencyHistogram()
  /// Handshakes of new TLS connections.
  package private(set) var tls = LatencyHistogram()
  /// For the responses that came in several pieces.
  private var pieces = LatencyHistogram()
  /// For all responses that are recorded here: their service time, and the part of it until the first byte.
  private var service = LatencyHistogram()
  private var firstBytes = LatencyHistogram()

  package init() {}

  /// Adds the phases of one response.
  package mutating func record(_ phases: ServicePhases) {
    service.record(phases.total)
    firstBytes.record(phases.firstByte)
    if phases.body > 0 { pieces.record(phases.body) }
    if let time = phases.connect { connect.record(time) }
    if let time = phases.tls { tls.record(time) }
    if phases.held > 0 { held.record(phases.held) }
  }

  /// The time until the first byte of all responses, whose service time is `all`.
  package func firstByte(of all: LatencyHistogram) -> LatencyHistogram {
    guard !service.isEmpty else { return all }
    var histogram = firstBytes
    for bucket in all.buckets {
      let low = LatencyHistogram.lowest(inBucketOf: bucket.value)
      let recorded = service.count(within: low...bucket.value)
      // The value of a bucket is its highest duration, which may exceed the longest sample.
      if bucket.count > recorded { histogram.record(min(bucket.value, all.max), count: bucket.count - recorded) }
    }
    return histogram
  }

  /// The time from the first to the last byte of all responses.
  package func body(of all: LatencyHistogram) -> LatencyHistogram {
    var histogram = pieces
    if all.count > pieces.count { histogram.record(0, count: all.count - pieces.count) }
    return histogram
  }

  /// Adds the account of another loop or shard.
  package mutating func merge(_ other: PhaseAccount) {
    held.merge(other.held)
    connect.merge(other.connect)
    tls.merge(other.tls)
    pieces.merge(other.pieces)
    service.merge(other.service)
    firstBytes.merge(other.firstBytes)
  }
}

/// The phases of service time with their usual percentiles, in microseconds. They are from the same responses as
/// `service`.
package struct PhaseSummary: Sendable, Codable {
  /// Attempts that were lost and repeated, and the queue for an HTTP/2 stream; nil without any.
  package var held: LatencySummary?
  /// The TCP handshake of the responses that opened a connection; nil without any.
  package var connect: LatencySummary?
  /// The TLS handshake after it; nil without any.
  package var tls: LatencySummary?
  /// The time from when the connection could take the request to the first byte of the response.
  package var firstByte: LatencySummary
  /// The time from the first byte to the last; 0 for responses in one piece.
  package var body: LatencySummary

  /// Nil without responses.
  ///
  /// - Parameter service: the service time of the same responses.
  package init?(_ account: PhaseAccount, service: LatencyHistogram) {
    guard !service.isEmpty else { return nil }
    func summary(_ histogram: LatencyHistogram) -> LatencySummary? {
      histogram.isEmpty ? nil : LatencySummary(histogram)
    }
    held = summary(account.held)
    connect = summary(account.connect)
    tls = summary(account.tls)
    firstByte = LatencySummary(account.firstByte(of: service))
    body = LatencySummary(account.body(of: service))
  }

  /// Each phase that took time, in order of time.
  package var all: [(phase: Phase, summary: LatencySummary)] {
    let known: [(Phase, LatencySummary?)] = [
      (.held, held), (.connect, connect), (.tls, tls), (.firstByte, firstByte), (.body, body),
    ]
    return known.compactMap { phase, summary in summary.map { (phase, $0) } }
  }

  /// A part of the service time.
  package enum Phase: String, Sendable, CaseIterable {
    case held, connect, tls
    case firstByte = "first_byte"
    case body

    /// For people.
    package var words: String {
      switch self {
      case .held: "held"
      case .connect: "connect"
      case .tls: "TLS"
      case .firstByte: "first byte"
      case .body: "body"
      }
    }
  }
}
