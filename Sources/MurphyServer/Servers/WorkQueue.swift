import Synchronization

/// Gives the server a capacity that is known to the request: `workers` of them are worked on at a time, each for the same
/// time, in the order in which they came.
///
///     capacity = workers / work        requests per second
///
/// The queue is one of moments, not of tasks: a request waits once, until its work would be done, so that the delays of
/// timers do not add up.
final class WorkQueue: Sendable {
  /// When each worker is free, nanoseconds.
  private let free: Mutex<[Int64]>
  private let work: Int64

  init(workers: Int, work: Duration) {
    free = Mutex(Array(repeating: .min, count: max(workers, 1)))
    let (seconds, attoseconds) = work.components
    self.work = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// Nanoseconds from `now` until a request that comes now has been worked on.
  func join(at now: Int64) -> Int64 {
    free.withLock { free in
      guard let soonest = free.indices.min(by: { free[$0] < free[$1] }) else { return 0 }
      let end = max(free[soonest], now) + work
      free[soonest] = end
      return end - now
    }
  }
}

extension Hooks {
  /// Lets every request wait for a worker.
  mutating func add(_ queue: WorkQueue) {
    delay.add(when: { _ in true }) { now, rest in try await rest(now) + queue.join(at: now) }
  }
}
