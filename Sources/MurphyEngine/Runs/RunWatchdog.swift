import Glibc
import MurphyHTTP
import MurphyModel
import Synchronization

/// Ends a run on time. It uses a separate thread, since a Swift task could wait behind the tasks that it observes.
///
/// A busy loop, for example with a session in Swift that blocks, does not return its measurement. Then the run ends
/// without it, and reports that. A loop that runs or waits for a core is working, on a machine that is too busy for it:
/// the run waits longer for it.
final class RunWatchdog: Sendable {
  /// The time from when a loop should have ended, or last worked, until the run ends without it.
  private static let patience: Int64 = 1_500_000_000
  /// The time from when a loop should have ended until the run ends without it although it works.
  private static let longestPatience: Int64 = 12_000_000_000
  /// More than this share of a core over the time means work.
  private static let workingShare = 0.3
  private static let pulse: useconds_t = 20_000

  private struct State {
    var measurements: [RunMeasurement?]
    var waiting: CheckedContinuation<Void, Never>?
    var isOver = false
    /// Loops that were still working when the run ended without them.
    var working: Set<Int> = []
  }

  private let state: Mutex<State>
  private let loops: [EventLoop]

  init(_ loops: [EventLoop]) {
    self.loops = loops
    state = Mutex(State(measurements: Array(repeating: nil, count: loops.count)))
  }

  /// The loops without a measurement that worked until the end.
  var working: Set<Int> { state.withLock { $0.working } }

  /// Observes the run until every loop has returned its measurement, and forwards the stop signal.
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

  /// The resources that a loop had used or waited for at its last check, and the time at which it last worked.
  private struct Demand {
    var nanoseconds: Nanoseconds?
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

  /// Ends the run when every missing loop is idle, or has reached its time limit.
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

  /// The measurements of all loops; nil for each loop that did not return one.
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
  /// The time at which the remaining work is cancelled.
  var lastMoment: Instant { loadEnd + scenario.settings.grace.nanoseconds }
}
