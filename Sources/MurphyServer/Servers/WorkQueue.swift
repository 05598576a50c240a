import Synchronization

/// Gives the server a capacity that is known for each request: `workers` requests are processed at a time, each for the
/// same time, in order of arrival. With a tail, one in twenty has another time.
///
///     capacity = workers / mean work        requests per second
///
/// The queue contains times, not tasks: a request waits once, until its work would be done, so that timer delays do not
/// accumulate.
final class WorkQueue: Sendable {
  private struct State {
    /// The time at which each worker is free, in nanoseconds.
    var free: [Int64]
    var random: SeededNumbers
  }

  private let state: Mutex<State>
  private let work: Int64
  private let tail: Int64

  /// - Parameters:
  ///   - tail: the work of one request in twenty; nil for the work of all others.
  ///   - seed: selects the requests of the tail.
  init(workers: Int, work: Duration, tail: Duration?, seed: UInt64) {
    state = Mutex(
      State(free: Array(repeating: .min, count: max(workers, 1)), random: SeededNumbers(seed: seed)))
    self.work = Self.nanoseconds(work)
    self.tail = Self.nanoseconds(tail ?? work)
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// Nanoseconds from `now` until a request that arrives now has been processed.
  func join(at now: Int64) -> Int64 {
    state.withLock { state in
      guard let soonest = state.free.indices.min(by: { state.free[$0] < state.free[$1] }) else { return 0 }
      let own = tail == work || state.random.below(20) > 0 ? work : tail
      let end = max(state.free[soonest], now) + own
      state.free[soonest] = end
      return end - now
    }
  }
}

extension Hooks {
  /// Makes every request wait for a worker.
  mutating func add(_ queue: WorkQueue) {
    delay.add(when: { _ in true }) { now, rest in try await rest(now) + queue.join(at: now) }
  }
}
