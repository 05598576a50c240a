import Foundation
import MurphyModel
import MurphyTransport

extension ClockReading {
  /// What this machine's clocks show at an instant.
  static func at(_ instant: Instant) -> ClockReading {
    var reading = ClockReading()
    reading.machine =
      (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    reading.monotonic = instant.nanoseconds
    reading.wall = WallClock.nanoseconds() - (Instant.now - instant)
    return reading
  }
}
