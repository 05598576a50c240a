import CLinux
import Glibc
import MurphyModel
import Synchronization

/// One thread with one epoll set: the executor of all virtual users that belong to it.
///
/// Tasks started with `Task(executorPreference:)` run on its thread, one job after the other. Only `enqueue`, `submit`
/// and `shutdown` may be called from other threads. No code of the loop takes a lock: jobs of other threads come
/// through an inbox that is opened only after its eventfd was signalled.
// @unchecked: all state except the inbox is confined to the loop's own thread; the inbox is a mutex.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
  // Confined to the loop's thread.
  var jobs: [UnownedJob] = []
  var timers = TimerQueue()
  var watchers: [any Watcher] = []
  var figures = LoopFigures()
  var running = true
  /// Tasks of this loop that wait for other threads.
  var elsewhere = 0
  /// The time when the loop last polled its descriptors.
  var woken = Instant.now
  /// The earliest time of the events that are handled now: the loop polls its descriptors only between its jobs.
  var earliestEvent = Instant(nanoseconds: 0)
  /// The last time that the loop was away for longer than `LoopFigures.stall`, and the reads right after it.
  var absence: Absence?
  let poller: Poller

  // Accessible to all threads.
  let inbox = Mutex<[UnownedJob]>([])
  let rung = Atomic<Bool>(false)
  let wake: CInt
  let thread = Atomic<UInt>(0)
  let ended = ThreadSignal()
  let number: Int
  let clock: LoopClock
  /// The thread's number in /proc/self/task.
  let task = Atomic<Int>(0)

  /// Starts the thread; throws when the system provides no epoll set, eventfd or thread.
  package init(number: Int, clock: LoopClock = .system) throws(SystemError) {
    self.number = number
    self.clock = clock
    poller = try Poller()
    wake = sys_bell_create()
    guard wake >= 0 else { throw SystemError("create an eventfd", code: errno) }
    poller.watch(wake, for: .readable, known: false, tag: Self.wakeTag)
    let started = ThreadSignal()
    try SystemThread.start("murphy-loop-\(number)", what: "of loop \(number)") { [self] in runThread(started) }
    started.wait()
  }

  deinit { close(wake) }

  /// The tag of the eventfd. Tags of watchers hold their index in the upper half, which is never all ones.
  static let wakeTag = UInt64.max

  /// True on the loop's own thread.
  package var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Callable from any thread; the job runs on the loop's thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      jobs.append(job)
    } else {
      inbox.withLock { $0.append(job) }
      ring()
    }
  }

  /// Wakes the loop from another thread. The flag saves a system call while an earlier signal is pending.
  func ring() {
    if !rung.exchange(true, ordering: .acquiringAndReleasing) { sys_bell_ring(wake) }
  }

  /// Runs `body` on the loop; its task may be awaited for the value.
  package func submit<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
    Task(executorPreference: self) { await body() }
  }

  /// Starts a task on the loop that may use `state`. Call it only on the loop itself.
  @discardableResult
  package func start<State>(
    with state: State, _ body: @escaping @Sendable (State) async -> Void
  ) -> Task<Void, Never> {
    let bound = LoopBound(state)
    return Task(executorPreference: self) { await body(bound.value) }
  }

  /// Ends the thread and waits for its end. Tasks that still wait on the loop stay suspended forever.
  package func shutdown() {
    _ = Task(executorPreference: self) { self.running = false }
    ended.wait()
  }

  /// Registers `watcher`; returns its number, which goes into the upper half of its descriptors' tags.
  func register(_ watcher: any Watcher) -> Int {
    watchers.append(watcher)
    return watchers.count - 1
  }

  /// The maximum time in nanoseconds that jobs may keep the loop from its descriptors and deadlines.
  private static let turn: Int64 = 5_000_000

  /// While a loop is away, it does not read responses.
  struct Absence {
    /// The time when the loop went away.
    var since: Instant
    /// The bytes read from this time on, until `end`, had arrived since the loop went away.
    var back: Instant
    var end: Instant
  }

  func recordAbsence(since: Instant?, until back: Instant) {
    if let since { absence = Absence(since: since, back: back, end: back + .max) }
  }

  /// All bytes that arrived while the loop was away have been read.
  func endAbsence() { absence?.end = .now }

  /// The maximum time that a response read at `ended` may have been unread because the loop was away, in nanoseconds.
  package func unread(sent: Instant, ended: Instant) -> Int64 {
    guard let absence, absence.back <= ended, ended <= absence.end else { return 0 }
    return max(ended - max(absence.since, sent), 0)
  }

  /// The part of the time since `begin` in which the loop should have polled its descriptors but did not, in
  /// nanoseconds.
  package func away(since begin: Instant) -> Int64 {
    let turn = Instant.now - max(woken, begin)
    return figures.away(since: begin) + (turn > LoopFigures.stall ? turn : 0)
  }

  /// True if a job that could continue should first let the loop poll its descriptors and deadlines.
  package var isOverdue: Bool { Instant.now - woken > Self.turn }

  /// The loop's measurements of itself until now.
  package func currentFigures() -> LoopFigures {
    var figures = figures
    figures.cpu = sys_thread_cpu()
    figures.waited = schedule?.waited
    return figures
  }
}

/// A value that the tasks of one loop share without `Sendable`.
// @unchecked: created and read on the same loop only, which runs one job at a time.
package struct LoopBound<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}

/// Handles the events of descriptors; lives on one loop.
protocol Watcher: AnyObject {
  /// True if it expects events.
  var isExpecting: Bool { get }
  func descriptorReady(_ descriptor: CInt, _ readiness: Readiness)
}

extension EventLoop {
  /// How long the loop's thread has run or waited for a core so far, in nanoseconds: its demand on the machine, met or
  /// not. Nil if the system does not report it (`schedstat` of proc(5)).
  package var demanded: Int64? { schedule.map { $0.ran &+ $0.waited } }

  /// How long the loop's thread has run, and how long it was ready and waited for a core, in nanoseconds.
  var schedule: (ran: Int64, waited: Int64)? {
    let line = MachineFigures.firstLine("/proc/self/task/\(task.load(ordering: .relaxed))/schedstat")
    let numbers = MachineFigures.numbers(in: line)
    return numbers.count >= 2 ? (Int64(numbers[0]), Int64(numbers[1])) : nil
  }
}

extension EventLoop {
  /// Suspends the calling task until `deadline`; accurate to a few microseconds when the loop is idle.
  ///
  /// Returns false when `interruptSleepers` ended the sleep early.
  nonisolated(nonsending) package func sleep(until deadline: Instant) async -> Bool {
    await withUnsafeContinuation { continuation in
      _ = timers.set(deadline, .resume(continuation))
    }
  }

  /// Ends all sleeps on this loop early; each then reports that it was interrupted.
  package func interruptSleepers() {
    for sleeper in timers.removeSleepers() { sleeper.resume(returning: false) }
  }
}

/// The source of a loop's time.
package enum LoopClock: Sendable {
  /// The system's monotonic clock.
  case system
  /// The same, advanced to the next deadline whenever the loop waits for nothing else: no request is in flight and no
  /// task waits for another thread. Hours of think times pass in moments; the target's own clock does not follow.
  case skipping
}

extension EventLoop {
  /// Waits for the result of another thread; no time is skipped meanwhile.
  nonisolated(nonsending) package func waiting<Value>(for body: nonisolated(nonsending) () async -> Value) async
    -> Value
  {
    elsewhere += 1
    defer { elsewhere -= 1 }
    return await body()
  }

  /// True if the loop waits only for its next deadline.
  var isIdle: Bool { elsewhere == 0 && !watchers.contains { $0.isExpecting } }
}

/// The performance of a loop; all durations in nanoseconds.
package struct LoopFigures: Sendable {
  /// A longer absence is a stall: responses that arrived meanwhile were measured too late.
  package static let stall: Int64 = 50_000_000

  /// The number of times that the loop was away for longer than `stall`: from its epoll set, or asleep long after a
  /// deadline, for example because the process was stopped.
  package var stalls = 0
  /// The longest time in which the loop did not run.
  package var longestAway: Int64 = 0
  /// The total time of all stalls.
  package var stalledTime: Int64 = 0
  /// The times at which the loop was away for longer than `absence`; the first `mostAbsences`.
  package private(set) var absences: [ClosedRange<Instant>] = []
  private static let absence: Int64 = 100_000_000
  private static let mostAbsences = 1_000

  /// The loop did not poll its descriptors and deadlines in between, though it should have.
  package mutating func recordAbsence(from begin: Instant, to end: Instant) {
    let away = end - begin
    longestAway = max(longestAway, away)
    if away > Self.stall {
      stalls += 1
      stalledTime += away
    }
    if away > Self.absence, absences.count < Self.mostAbsences { absences.append(begin...end) }
  }
  /// The part of the time since `begin` in which the loop was away, in absences.
  package func away(since begin: Instant) -> Int64 {
    absences.reduce(0) { $0 + max($1.upperBound - max($1.lowerBound, begin), 0) }
  }
  /// CPU time of the loop's thread since it began.
  package var cpu: Int64 = 0
  /// How long the thread was ready and waited for a core; nil if the system does not report it.
  package var waited: Int64?

  /// The figures before any measurement.
  package init() {}
}
