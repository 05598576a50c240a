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

/// Where the service time of answers went. Merged by adding.
package struct PhaseAccount: Sendable {
  /// Of the answers for which it is not 0.
  package private(set) var held = LatencyHistogram()
  /// Of those that opened a connection.
  package private(set) var connect = LatencyHistogram()
  package private(set) var tls = LatencyHistogram()
  package private(set) var firstByte = LatencyHistogram()
  private var pieces = LatencyHistogram()
  /// Answers that came in one piece: most, so they have no histogram.
  private var whole: UInt64 = 0

  package init() {}

  package mutating func record(_ phases: ServicePhases) {
    firstByte.record(phases.firstByte)
    if phases.body > 0 { pieces.record(phases.body) } else { whole += 1 }
    if let time = phases.connect { connect.record(time) }
    if let time = phases.tls { tls.record(time) }
    if phases.held > 0 { held.record(phases.held) }
  }

  /// Of all answers.
  package var body: LatencyHistogram {
    var all = pieces
    if whole > 0 { all.record(0, count: whole) }
    return all
  }

  package mutating func merge(_ other: PhaseAccount) {
    held.merge(other.held)
    connect.merge(other.connect)
    tls.merge(other.tls)
    firstByte.merge(other.firstByte)
    pieces.merge(other.pieces)
    whole += other.whole
  }
}
