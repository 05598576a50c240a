/// Where the server's clock stands against the client's, from `Date` headers cut to whole seconds.
///
/// Each answer says Date ≤ server time at some moment of [sent, answered] < Date + 1, so
///
///     offset ∈ [Date − answered, Date + 1 − sent)
///
/// and the offset lies in the intersection: 20 ms wide after 300 answers in 30 s (docs/rate-limits.md §2.1).
package struct ServerClock: Sendable, Hashable {
  /// Server time minus client time, seconds: at least.
  package private(set) var lowest = -Double.infinity
  package private(set) var highest = Double.infinity

  package init() {}

  package mutating func observe(date: Double, sent: Double, answered: Double) {
    lowest = max(lowest, date - answered)
    highest = min(highest, date + 1 - sent)
  }

  /// Nil before the first `Date`, or when the clock jumped and no offset fits all.
  package var offset: Double? { lowest <= highest && lowest.isFinite ? (lowest + highest) / 2 : nil }
  package var uncertainty: Double { (highest - lowest) / 2 }
}
