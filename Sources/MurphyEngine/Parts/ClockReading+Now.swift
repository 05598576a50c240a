import Foundation
import MurphyModel
import MurphyTransport

extension ClockReading {
  /// What this machine's clocks show at an instant.
  ///
  /// - Parameter timeOfDay: nanoseconds since 1970, as the time of day stood when the run was made: whoever sets it while the run
  ///   goes on does not move what happened before.
  static func at(_ instant: Instant, timeOfDay: Int64) -> ClockReading {
    var reading = ClockReading()
    reading.machine =
      (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    reading.monotonic = instant.nanoseconds
    reading.wall = timeOfDay
    return reading
  }
}
