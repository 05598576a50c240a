import Foundation
import Synchronization
import Testing

/// Measures for how long the machine did not run a thread, or a task, that was ready.
final class StallWatch: Sendable {
  private struct State {
    var longest = Duration.zero
    var isEnded = false
    var isRepeated = false
  }
  private let state = Mutex(State())

  private static let period = Duration.milliseconds(5)
  /// A shorter stall is less than what the tests tolerate.
  private static let tolerated = Duration.milliseconds(40)

  /// Executes a test once.
  ///
  /// - Returns: true if the test failed, and the machine had stalled before.
  /// - Throws: the error of a test that failed on a machine that did not stall.
  func attempt(_ test: @Sendable () async throws -> Void) async throws -> Bool {
    defer { state.withLock { $0.isEnded = true } }
    let thread = Thread { [self] in
      while note({ Thread.sleep(forTimeInterval: 0.005) }) {}
    }
    thread.start()
    Task { [self] in
      var isWatching = true
      while isWatching {
        let start = ContinuousClock.now
        try? await Task.sleep(for: Self.period)
        isWatching = note(start.duration(to: .now))
      }
    }
    try await withKnownIssue("the machine stalled: the test is repeated", isIntermittent: true) {
      try await test()
    } matching: { [self] _ in
      state.withLock { state in
        let isStalled = state.longest > Self.tolerated
        if isStalled { state.isRepeated = true }
        return isStalled
      }
    }
    return state.withLock(\.isRepeated)
  }

  private func note(_ sleep: () -> Void) -> Bool {
    let start = ContinuousClock.now
    sleep()
    return note(start.duration(to: .now))
  }

  /// Returns false if the test ended.
  private func note(_ time: Duration) -> Bool {
    state.withLock { state in
      state.longest = max(state.longest, time - Self.period)
      return !state.isEnded
    }
  }
}
