import MurphyServer
import Synchronization

/// A clock for limiters that stands still until a test moves it.
final class HandClock: Sendable {
  private let nanoseconds = Atomic<Int64>(1_000_000_000_000)

  var limits: LimitClock { LimitClock { self.nanoseconds.load(ordering: .relaxed) } }

  func pass(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    nanoseconds.wrappingAdd(seconds * 1_000_000_000 + attoseconds / 1_000_000_000, ordering: .relaxed)
  }
}
