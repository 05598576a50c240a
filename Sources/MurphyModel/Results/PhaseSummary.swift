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
