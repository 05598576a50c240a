import Foundation
import NIOCore

/// The clock of the limiters: nanoseconds that never go back.
enum MonotonicClock {
  static func now() -> Int64 { Int64(NIODeadline.now().uptimeNanoseconds) }

  /// Wall clock minus monotonic clock, taken once; steps of the wall clock later do not move any window.
  static func wallOffset() -> Int64 { Int64(Date().timeIntervalSince1970 * 1e9) - now() }
}
