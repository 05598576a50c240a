import Synchronization

/// Copies of what was read, each refreshed only when it is old: a replica that lags behind.
final class LaggingCopies<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let age: Int64
  private let copies = Mutex<[Key: (value: Value, taken: Int64)]>([:])

  /// - Parameter milliseconds: how far behind a copy may be.
  init(milliseconds: Int64) { age = milliseconds * 1_000_000 }

  /// The copy of `value`, taken now if there is none or the last one is too old.
  func read(_ key: Key, _ value: Value) -> Value {
    let now = MonotonicClock.now()
    return copies.withLock { copies in
      if let copy = copies[key], now - copy.taken < age { return copy.value }
      copies[key] = (value, now)
      return value
    }
  }
}

/// The value of whoever came last: what a shared variable holds when two requests meet.
final class SharedVariable<Value: Sendable>: Sendable {
  private let last = Mutex<Value?>(nil)

  /// Stores a value, waits, and reads what is there then.
  ///
  /// - Parameter milliseconds: how long another request has to come between.
  func exchange(_ value: Value, waiting milliseconds: Int64) async throws -> Value {
    last.withLock { $0 = value }
    try await Task.sleep(for: .milliseconds(milliseconds))
    return last.withLock { $0 } ?? value
  }
}
