/// A point on the monotonic clock (`CLOCK_MONOTONIC`), in nanoseconds.
///
/// Instants of one process compare with one another and with nothing else.
public struct Instant: Sendable, Hashable, Comparable, Codable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Nanoseconds from `earlier` to `later`; negative when they are the other way round.
  public static func - (later: Instant, earlier: Instant) -> Int64 {
    later.nanoseconds - earlier.nanoseconds
  }

  public static func + (start: Instant, nanoseconds: Int64) -> Instant {
    Instant(nanoseconds: start.nanoseconds + nanoseconds)
  }
}
