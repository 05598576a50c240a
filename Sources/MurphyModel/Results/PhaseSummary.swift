/// The phases of service time with their usual percentiles, microseconds. They are of the same answers as `service`.
package struct PhaseSummary: Sendable, Codable {
  /// Sendings that were lost and repeated, and the queue for a stream of HTTP/2; nil where there were none.
  package var held: LatencySummary?
  /// The TCP handshake, of the answers that opened a connection; nil where none did.
  package var connect: LatencySummary?
  /// The TLS handshake behind it; nil without any.
  package var tls: LatencySummary?
  /// From the moment when the connection could take the request to the first byte of the answer.
  package var firstByte: LatencySummary
  /// From the first byte to the last; 0 for answers that came in one piece.
  package var body: LatencySummary

  /// Nil without answers.
  ///
  /// - Parameter service: the service time of the same answers.
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

  /// Each phase that took time, in the order in which they pass.
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
