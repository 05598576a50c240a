import CLinux
import Glibc

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
