import MurphyModel

/// What came of one probe request; seconds on the prober's clock.
public struct ProbeObservation: Sendable, Hashable {
  /// Index into the volley's requests.
  public var index: Int
  public var sent: Double
  /// When it was answered, or given up on.
  public var settled: Double
  public var decision: LimitDecision
  /// 0 without an answer.
  public var status: Int
  /// `Retry-After` in seconds, where the answer had one.
  public var retryAfter: Double?

  public init(
    index: Int, sent: Double, settled: Double, decision: LimitDecision, status: Int, retryAfter: Double? = nil
  ) {
    self.index = index
    self.sent = sent
    self.settled = settled
    self.decision = decision
    self.status = status
    self.retryAfter = retryAfter
  }
}
