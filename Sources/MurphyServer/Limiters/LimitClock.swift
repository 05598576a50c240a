import Foundation
import NIOCore

/// The clock of the limiters. A test of what happens after a window puts one in its place that it moves by hand.
package struct LimitClock: Sendable {
  /// Nanoseconds that never go back.
  package let now: @Sendable () -> Int64

  package init(now: @escaping @Sendable () -> Int64) { self.now = now }

  package static let monotonic = LimitClock { MonotonicClock.now() }

  /// Wall clock minus this clock, taken once; steps of the wall clock later do not move any window.
  func wallOffset() -> Int64 { Int64(Date().timeIntervalSince1970 * 1e9) - now() }
}

/// Nanoseconds of the machine that never go back.
enum MonotonicClock {
  static func now() -> Int64 { Int64(NIODeadline.now().uptimeNanoseconds) }
}
