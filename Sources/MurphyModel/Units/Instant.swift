/// A point on the monotonic clock (`CLOCK_MONOTONIC`), in nanoseconds.
///
/// Instants of one process compare with one another and with nothing else.
package struct Instant: Sendable, Hashable, Comparable, Codable {
  package var nanoseconds: Int64

  @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  @inlinable package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Nanoseconds from `earlier` to `later`; negative when they are the other way round.
  @inlinable package static func - (later: Instant, earlier: Instant) -> Int64 {
    let (span, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return overflow ? (earlier.nanoseconds < 0 ? .max : .min) : span
  }

  @inlinable package static func + (start: Instant, nanoseconds: Int64) -> Instant {
    let (sum, overflow) = start.nanoseconds.addingReportingOverflow(nanoseconds)
    return Instant(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
  }
}
