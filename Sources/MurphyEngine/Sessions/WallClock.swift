import Glibc

/// The time of day, for `now()` in expressions and for the record.
enum WallClock {
  /// Since 1970, UTC.
  static let nanoseconds: @Sendable () -> Int64 = {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}
