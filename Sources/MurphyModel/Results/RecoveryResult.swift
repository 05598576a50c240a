/// The goodput of a run before and after a disturbance of its load.
package struct RecoveryResult: Sendable, Codable, Hashable {
  /// `outage` or `spike`.
  package var disturbance: String
  /// The disturbance, since the start of the load.
  @InSeconds package var from: Duration
  @InSeconds package var until: Duration
  /// The judged time after the disturbance, since the start of the load.
  @InSeconds package var judgedFrom: Duration
  @InSeconds package var judgedUntil: Duration
  /// Good responses per second before the disturbance.
  package var before: Double
  /// Good responses per second in the judged time.
  package var after: Double
  /// The goodput of the judged time as a part of the former level, with the load taken into account; nil without data.
  package var level: Double?
  /// From the end of the disturbance until the goodput was back; nil if it did not come back.
  @InSeconds package var returned: Duration?
  /// Requests per second in the judged time, and those of them that a client sent again.
  package var requests: Double
  package var retries: Double
  /// Requests that murphy withheld.
  package var withheld: Int

  package init(disturbance: String, from: Duration, until: Duration, judgedFrom: Duration, judgedUntil: Duration) {
    self.disturbance = disturbance
    self.from = from
    self.until = until
    self.judgedFrom = judgedFrom
    self.judgedUntil = judgedUntil
    (before, after, requests, retries, withheld) = (0, 0, 0, 0, 0)
    returned = nil
  }

  /// The requests for each request that is not a retry; nil without any.
  package var amplification: Double? { requests > retries ? requests / (requests - retries) : nil }
}
