/// Where the service time of one answer went, in nanoseconds. Together the phases are the time from the send to the last
/// byte.
///
/// Names are looked up once, before the load, for all users: ``RunInfo/lookup``.
package struct ServicePhases: Sendable, Hashable {
  /// Until the connection was opened or free: sendings that were lost and repeated, and libcurl's own queue for a stream of
  /// HTTP/2.
  package var held: Int64 = 0
  /// The TCP handshake; nil on a connection that stood already.
  package var connect: Int64?
  /// The TLS handshake behind it; nil where none was needed.
  package var tls: Int64?
  /// From the moment when the connection could take the request to the first byte of an answer.
  package var firstByte: Int64
  /// From the first byte to the last; 0 for an answer that came in one piece.
  package var body: Int64 = 0

  package init(firstByte: Int64) { self.firstByte = firstByte }

  /// All phases: the service time.
  package var total: Int64 { held + (connect ?? 0) + (tls ?? 0) + firstByte + body }
}

/// Where the service time of answers went, beside the histogram of their service time. Merged by adding.
///
/// Most answers come in one piece over a connection that stood: all of their service time is the wait for the first byte,
/// and nothing is recorded here.
package struct PhaseAccount: Sendable, Codable {
  /// Of the answers for which it is not 0.
  package private(set) var held = LatencyHistogram()
  /// Of those that opened a connection.
  package private(set) var connect = LatencyHistogram()
  package private(set) var tls = LatencyHistogram()
  /// Of those that came in several pieces.
  private var pieces = LatencyHistogram()
  /// Of all answers that are recorded here: their service time, and the part of it until the first byte.
  private var service = LatencyHistogram()
  private var firstBytes = LatencyHistogram()

  package init() {}

  package mutating func record(_ phases: ServicePhases) {
    service.record(phases.total)
    firstBytes.record(phases.firstByte)
    if phases.body > 0 { pieces.record(phases.body) }
    if let time = phases.connect { connect.record(time) }
    if let time = phases.tls { tls.record(time) }
    if phases.held > 0 { held.record(phases.held) }
  }

  /// Of all answers, whose service time is `all`.
  package func firstByte(of all: LatencyHistogram) -> LatencyHistogram {
    guard !service.isEmpty else { return all }
    var histogram = firstBytes
    for bucket in all.buckets {
      let low = LatencyHistogram.lowest(inBucketOf: bucket.value)
      let recorded = service.count(within: low...bucket.value)
      // A bucket's name is its highest value, which may lie above the longest sample.
      if bucket.count > recorded { histogram.record(min(bucket.value, all.max), count: bucket.count - recorded) }
    }
    return histogram
  }

  /// The same, until the last byte.
  package func body(of all: LatencyHistogram) -> LatencyHistogram {
    var histogram = pieces
    if all.count > pieces.count { histogram.record(0, count: all.count - pieces.count) }
    return histogram
  }

  package mutating func merge(_ other: PhaseAccount) {
    held.merge(other.held)
    connect.merge(other.connect)
    tls.merge(other.tls)
    pieces.merge(other.pieces)
    service.merge(other.service)
    firstBytes.merge(other.firstBytes)
  }
}
