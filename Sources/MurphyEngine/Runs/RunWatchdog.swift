import Glibc
import MurphyModel
import MurphyTransport
import Synchronization

/// Ends a run on time: on a thread of its own, since a task of Swift's could wait behind what it watches.
///
/// A loop that something keeps busy, as a session written in Swift that blocks, does not hand its record over. Then the
/// run ends without it, and says so.
final class RunWatchdog: Sendable {
  /// From the moment at which a loop should have ended to the one at which it is given up.
  private static let patience: Int64 = 1_500_000_000
  private static let pulse: useconds_t = 20_000

  private struct State {
    var records: [ShardRecord?]
    var waiting: CheckedContinuation<Void, Never>?
    var isOver = false
  }

  private let state: Mutex<State>

  init(loops: Int) { state = Mutex(State(records: Array(repeating: nil, count: loops))) }

  /// Watches over the run until every loop has handed its record over; passes the stop signal on.
  func watch(_ context: RunContext, _ stop: StopSignal) throws(SystemError) {
    try SystemThread.start("murphy-watchdog") { [self] in
      var cut: Instant?
      while !state.withLock({ $0.isOver }) {
        if stop.isRequested { context.cutting.request() }
        if cut == nil, context.cutting.isRequested { cut = .now }
        let due = min(cut ?? context.lastMoment, context.lastMoment)
        if Instant.now > due + Self.patience { end() }
        usleep(Self.pulse)
      }
    }
  }

  func deliver(_ record: ShardRecord, of loop: Int) {
    let isLast = state.withLock { state in
      state.records[loop] = record
      return !state.records.contains { $0 == nil }
    }
    if isLast { end() }
  }

  private func end() {
    let waiting = state.withLock { state in
      state.isOver = true
      return state.waiting.take()
    }
    waiting?.resume()
  }

  /// The records of all loops, nil for each that was given up.
  func records() async -> [ShardRecord?] {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting = continuation }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
    return state.withLock { $0.records }
  }
}

extension RunContext {
  /// When whatever still runs is cut.
  var lastMoment: Instant { loadEnd + scenario.settings.grace.nanoseconds }
}
