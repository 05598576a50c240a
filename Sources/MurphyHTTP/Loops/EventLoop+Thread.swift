import CLinux
import Glibc
import MurphyModel

extension EventLoop {
  /// The main function of the loop's thread.
  ///
  /// - Parameter started: signalled when the thread of the loop is recorded.
  func runThread(_ started: ThreadSignal) {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    task.store(Int(sys_thread_number()), ordering: .relaxed)
    sys_sharpen_timers()
    sys_crash_stack()
    started.signal()
    sys_block_broken_pipes()
    runUntilShutdown()
    ended.signal()
  }

  /// One turn: run the jobs, fire the deadlines, wait for events, dispatch them.
  private func runUntilShutdown() {
    var ready = ReadyJobs()
    var awake = Instant.now
    while running {
      runJobs(using: &ready)
      guard running else { return }
      let now = Instant.now
      fireTimers(now)
      figures.recordAbsence(from: awake, to: now)
      let wait = jobs.isEmpty && ready.isEmpty ? span(to: timers.next, from: now) : 0
      let count = pause(wait)
      woken = Instant.now
      var away = now - awake > LoopFigures.stall ? awake : nil
      // The system woke the loop long after it should have.
      if wait >= 0, woken - now > wait + LoopFigures.stall {
        figures.recordAbsence(from: now + wait, to: woken)
        away = away ?? now + wait
      }
      recordAbsence(since: away, until: woken)
      earliestEvent = woken - now > Self.sleep ? woken : awake
      awake = woken
      deliver(count)
      if away != nil { endAbsence() }
    }
  }

  /// Waits for events. A skipping clock jumps to the end of the wait if only the deadline is pending.
  private func pause(_ wait: Int64) -> Int {
    guard clock == .skipping, wait > 0, isIdle else { return poller.wait(nanoseconds: wait) }
    let count = poller.wait(nanoseconds: 0)
    if count == 0 { sys_skip(wait) }
    return count
  }

  /// After a wait longer than this, in nanoseconds, the events happened at its end and not before it.
  private static let sleep: Int64 = 50_000

  /// Runs a slice of the ready jobs; jobs that become ready meanwhile wait until the events were polled.
  private func runJobs(using ready: inout ReadyJobs) {
    if ready.isEmpty { ready.refill(from: &jobs) }
    let executor = asUnownedTaskExecutor()
    for job in ready.removeSlice() { unsafe job.runSynchronously(on: executor) }
  }

  private func fireTimers(_ now: Instant) {
    while let action = timers.popDue(now) {
      switch action {
      case .resume(let continuation): continuation.resume(returning: true)
      case .fire(let target): target.timerFired(now)
      }
    }
  }

  private func span(to deadline: Int64?, from now: Instant) -> Int64 {
    guard let deadline else { return -1 }
    return max(deadline - now.nanoseconds, 0)
  }

  private func deliver(_ count: Int) {
    for index in 0..<count {
      let (tag, readiness) = poller.event(index)
      if tag == Self.wakeTag {
        openInbox()
      } else {
        watchers[Int(tag >> 32)].descriptorReady(CInt(truncatingIfNeeded: tag & 0xFFFF_FFFF), readiness)
      }
    }
  }

  /// The flag is cleared before the inbox is emptied: a later job rings again.
  private func openInbox() {
    sys_bell_hear(wake)
    rung.store(false, ordering: .sequentiallyConsistent)
    let arrived = inbox.withLock { inbox in
      let arrived = inbox
      inbox.removeAll(keepingCapacity: true)
      return arrived
    }
    jobs.append(contentsOf: arrived)
  }
}

/// Jobs in the order in which they became ready, run in slices: thousands of users that begin at once must not delay
/// responses and deadlines.
struct ReadyJobs {
  private static let slice = 128

  private var jobs: [UnownedJob] = []
  private var next = 0

  var isEmpty: Bool { next == jobs.count }

  /// Takes all jobs of `queue` and reuses its memory. Call it only when empty.
  mutating func refill(from queue: inout [UnownedJob]) {
    jobs.removeAll(keepingCapacity: true)
    next = 0
    swap(&jobs, &queue)
  }

  mutating func removeSlice() -> ArraySlice<UnownedJob> {
    let end = min(next + Self.slice, jobs.count)
    defer { next = end }
    return jobs[next..<end]
  }
}

/// The events for which a descriptor is ready or watched.
struct Readiness: OptionSet, Sendable {
  let rawValue: UInt32

  static let readable = Readiness(rawValue: sys_readable)
  static let writable = Readiness(rawValue: sys_writable)
  /// Error or hang-up; always reported, never requested.
  static let broken = Readiness(rawValue: sys_broken)
}

/// An epoll set: level-triggered, with nanosecond waits.
///
/// Owned by one thread.
struct Poller: ~Copyable {
  private let set: CInt
  private let events: UnsafeMutableRawPointer
  private static let room = 512

  init() throws(SystemError) {
    set = sys_set_create()
    guard set >= 0 else { throw SystemError("create an epoll set", code: errno) }
    events = .allocate(byteCount: Self.room * sys_event_size(), alignment: 16)
  }

  deinit {
    events.deallocate()
    close(set)
  }

  /// Sets the events for which `descriptor` is watched; empty removes it. `tag` is returned with its events.
  @discardableResult
  func watch(_ descriptor: CInt, for interest: Readiness, known: Bool, tag: UInt64) -> CInt {
    sys_watch(set, descriptor, interest.rawValue, known ? 1 : 0, tag)
  }

  /// Waits until a descriptor is ready or `nanoseconds` have passed (negative: forever); returns how many are ready.
  func wait(nanoseconds: Nanoseconds) -> Int { max(Int(sys_wait(set, events, CInt(Self.room), nanoseconds)), 0) }

  /// The event number `index` of the last wait.
  func event(_ index: Int) -> (tag: UInt64, readiness: Readiness) {
    (sys_event_tag(events, CInt(index)), Readiness(rawValue: sys_event_readiness(events, CInt(index))))
  }
}

/// A system call failed that murphy cannot do without.
package struct SystemError: Error, CustomStringConvertible {
  package let description: String

  init(_ action: String, code: CInt) {
    description = "cannot \(action): \(String(cString: strerror(code)).lowercased())"
  }
}

/// A thread of murphy itself, in addition to the loops and the pool that Swift's tasks share.
package enum SystemThread {
  private final class Work {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Runs `body` on a new thread; throws when the system provides none.
  ///
  /// - Parameters:
  ///   - name: at most 15 bytes.
  ///   - what: the same for people.
  package static func start(
    _ name: String, what: String? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(name, body))
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
        sys_name_thread(work.name)
        work.body()
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw SystemError("start the thread \(what ?? name)", code: code)
    }
    pthread_detach(thread)
  }

  /// Throws unless the system provides so many threads at once: a pool without enough threads waits forever.
  package static func require(_ count: Int) throws(SystemError) {
    let release = ThreadSignal()
    let ended = ThreadSignal()
    var started = 0
    defer {
      if started > 0 { release.signal() }
      for _ in 0..<started { ended.consume() }
    }
    for _ in 0..<count {
      try start("murphy-probe") {
        release.wait()
        ended.signal()
      }
      started += 1
    }
  }
}

/// Lets one thread wait until another has reached a point; used only at the start and the end of a loop.
// @unchecked: a POSIX semaphore is designed for use by several threads.
final class ThreadSignal: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func signal() { sem_post(semaphore) }

  /// Waits for the signal and consumes it.
  func consume() { while sem_wait(semaphore) != 0 {} }

  /// Waits for the signal and sends it again, so that any number of threads can wait for it.
  func wait() {
    while sem_wait(semaphore) != 0 {}
    sem_post(semaphore)
  }
}
