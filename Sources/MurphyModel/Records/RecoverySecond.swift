/// The counts of one second of a run for the check of recovery (docs/recovery.md).
package struct RecoverySecond: Sendable, Codable, Hashable {
  /// Sessions that began: those whose scheduled start is in the second.
  package var begun = 0
  /// Successful responses within the latency budget of their operation, by the time of the response.
  package var good = 0
  /// Requests that their client sent again, by the time of the send.
  package var retried = 0
  /// Requests that failed at the client, because the load has an outage.
  package var withheld = 0

  package init() {}

  /// Adds the counts of another loop or second.
  package static func += (sum: inout RecoverySecond, other: RecoverySecond) {
    sum.begun += other.begun
    sum.good += other.good
    sum.retried += other.retried
    sum.withheld += other.withheld
  }
}
