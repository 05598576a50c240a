import MurphyJudge
import MurphyModel

/// What came of one probe request; seconds on the prober's clock.
public struct ProbeObservation: Sendable, Hashable {
  /// Index into the volley's requests.
  public var index: Int
  /// When it should have been sent; later sends are the client's own lateness.
  public var due: Double
  public var sent: Double
  /// When it was answered, or given up on.
  public var settled: Double
  public var decision: LimitDecision
  /// 0 without an answer.
  public var status: Int
  /// `Retry-After` in seconds, where the answer had one.
  public var retryAfter: Double?

  public init(
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
  public var lateness: Double { max(0, sent - due) }
  /// Seconds within which the limiter decided; where exactly is not known.
  public var ride: Double { settled - sent }
  /// Sent so late, or so long on its way, that an experiment was not the one planned.
  public var isLate: Bool { max(lateness, ride) > Self.late }
  /// How late the worst of both is.
  public var delay: Double { max(lateness, ride) }
  /// Seconds. An idle machine keeps to a few milliseconds.
  private static let late = 0.05
}
