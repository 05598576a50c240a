import Glibc
import MurphyHTTP
import MurphyModel
import Synchronization

/// Ends a run on time: on a thread of its own, since a task of Swift's could wait behind what it watches.
///
/// A loop that something keeps busy, as a session written in Swift that blocks, does not hand over what it measured. Then
/// the run ends without it, and says so. A loop that runs or waits for a core is at work, on a machine that is too busy for
/// it: it is waited for longer.
final class RunWatchdog: Sendable {
  /// From the moment at which a loop should have ended, or was last at work, to the one at which it is given up.
  private static let patience: Int64 = 1_500_000_000
  /// From the moment at which a loop should have ended to the one at which it is given up though it is at work.
  private static let longestPatience: Int64 = 12_000_000_000
  /// Of the time, more than this share of a core means work.
  private static let workingShare = 0.3
  private static let pulse: useconds_t = 20_000

  private struct State {
    var measurements: [RunMeasurement?]
    var waiting: CheckedContinuation<Void, Never>?
    var isOver = false
    /// Loops that were still at work when they were given up.
    var working: Set<Int> = []
  }

  private let state: Mutex<State>
  private let loops: [EventLoop]

  init(_ loops: [EventLoop]) {
    self.loops = loops
    state = Mutex(State(measurements: Array(repeating: nil, count: loops.count)))
  }

  /// Of the loops that were given up, those that were at work until then.
  var working: Set<Int> { state.withLock { $0.working } }

  /// Watches over the run until every loop has handed over what it measured; passes the stop signal on.
  func watch(_ context: RunContext, _ stop: StopSignal) throws(SystemError) {
    try SystemThread.start("murphy-watchdog") { [self] in
      var cut: Instant?
      var demands = loops.map { Demand($0) }
      while !state.withLock({ $0.isOver }) {
        if stop.isRequested { context.cutting.request() }
        if cut == nil, context.cutting.isRequested { cut = .now }
        let due = min(cut ?? context.lastMoment, context.lastMoment)
        giveUp(due, &demands)
        usleep(Self.pulse)
      }
    }
  }

  /// What a loop wanted of the machine until it was last looked at, and when it was last at work.
  private struct Demand {
    var nanoseconds: Int64?
    var looked = Instant.now
    var worked: Instant?

    init(_ loop: EventLoop) { nanoseconds = loop.demanded }

    mutating func look(at loop: EventLoop, _ now: Instant) {
      guard now - looked >= 200_000_000, let demanded = loop.demanded else { return }
      if let nanoseconds, Double(demanded - nanoseconds) > RunWatchdog.workingShare * Double(now - looked) {
        worked = now
      }
      (nanoseconds, looked) = (demanded, now)
    }
  }

  /// Ends the run when every loop that is missing is idle, or has had its time.
  private func giveUp(_ due: Instant, _ demands: inout [Demand]) {
    let now = Instant.now
    guard now > due else { return }
    for (index, loop) in loops.enumerated() { demands[index].look(at: loop, now) }
    guard now > due + Self.patience else { return }
    let seen = demands
    let isHopeless = state.withLock { state in
      let missing = state.measurements.indices.filter { state.measurements[$0] == nil }
      let atWork = missing.filter { index in seen[index].worked.map { now < $0 + Self.patience } ?? false }
      guard atWork.isEmpty || now > due + Self.longestPatience else { return false }
      state.working = Set(atWork)
      return true
    }
    if isHopeless { end() }
  }

  func deliver(_ measurement: RunMeasurement, of loop: Int) {
    let isLast = state.withLock { state in
      state.measurements[loop] = measurement
      return !state.measurements.contains { $0 == nil }
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

  /// What all loops measured, nil for each that was given up.
  func measurements() async -> [RunMeasurement?] {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting = continuation }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
    return state.withLock { $0.measurements }
  }
}

extension RunContext {
  /// When whatever still runs is cut.
  var lastMoment: Instant { loadEnd + scenario.settings.grace.nanoseconds }
}
