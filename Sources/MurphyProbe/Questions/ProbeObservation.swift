import MurphyJudge
import MurphyModel

/// What came of one probe request; seconds on the prober's clock.
package struct ProbeObservation: Sendable, Hashable {
  /// Index into the volley's requests.
  package var index: Int
  /// When it should have been sent; later sends are the client's own lateness.
  package var due: Double
  package var sent: Double
  /// When it was answered, or given up on.
  package var settled: Double
  package var decision: LimitDecision
  /// 0 without an answer.
  package var status: Int
  /// `Retry-After` in seconds, where the answer had one.
  package var retryAfter: Double?

  package init(
    index: Int, due: Double? = nil, sent: Double, settled: Double, decision: LimitDecision, status: Int,
    retryAfter: Double? = nil
  ) {
    self.index = index
    self.due = due ?? sent
    self.sent = sent
    self.settled = settled
    self.decision = decision
    self.status = status
    self.retryAfter = retryAfter
  }

  /// Seconds that the client was late in sending it.
  package var lateness: Double { max(0, sent - due) }
  /// Seconds within which the limiter decided; where exactly is not known.
  package var ride: Double { settled - sent }
  /// Sent so late, or so long on its way, that an experiment was not the one planned.
  package var isLate: Bool { max(lateness, ride) > Self.late }
  /// How late the worst of both is.
  package var delay: Double { max(lateness, ride) }
  /// Seconds. An idle machine keeps to a few milliseconds.
  private static let late = 0.05
}
