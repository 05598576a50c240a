import Synchronization

/// The faults that make requests wait.
final class DelayFaults: Sendable {
  private let faults: FaultPlan
  /// When the first request came, from which all phases are counted.
  private let first = Mutex<Int64?>(nil)
  /// When the last vote in the line will be done.
  private let lineEnd = Mutex<Int64>(0)

  init(_ faults: FaultPlan) { self.faults = faults }

  func wait(before operation: Operation) async throws {
    let nanoseconds = delay(operation)
    if nanoseconds > 0 { try await Task.sleep(for: .nanoseconds(nanoseconds)) }
  }

  private func delay(_ operation: Operation) -> Int64 {
    let now = MonotonicClock.now()
    let age =
      now
      - first.withLock { first in
        if first == nil { first = now }
        return first ?? now
      }
    let millisecond: Int64 = 1_000_000
    var delay: Int64 = 0
    if operation == .listLaws, faults.has(.slowList) { delay += 600 * millisecond }
    if operation == .voteLaw, faults.has(.slowVote) { delay += 500 * millisecond }
    if operation == .voteLaw, faults.has(.serialVotes) { delay += placeInLine(now, 100 * millisecond) }
    if faults.has(.growingDelay) { delay += age / 10 }
    if faults.has(.slowStart), age < 3000 * millisecond { delay += 1000 * millisecond }
    if faults.strikes(.slowTail, oneIn: 20) { delay += 1500 * millisecond }
    let phase = age % (10_000 * millisecond)
    if faults.has(.stall), 2000 * millisecond..<4000 * millisecond ~= phase { delay += 4000 * millisecond - phase }
    return delay
  }

  private func placeInLine(_ now: Int64, _ turn: Int64) -> Int64 {
    lineEnd.withLock { end in
      end = max(end, now) + turn
      return end - now
    }
  }
}
