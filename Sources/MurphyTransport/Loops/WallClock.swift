import CLinux
import Glibc
import MurphyModel

/// The time of day.
package enum WallClock {
  /// Since 1970, UTC.
  package static let nanoseconds: @Sendable () -> Int64 = {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  package static var seconds: Int64 { nanoseconds() / 1_000_000_000 }
}

extension Instant {
  /// The monotonic clock now; about 25 ns.
  package static var now: Instant { Instant(nanoseconds: sys_monotonic()) }
}
