import Glibc

/// Lets one thread wait until another has come to a point; used at the start and the end of a loop only.
// @unchecked: a POSIX semaphore is made for use by several threads.
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

  /// Waits for one signal and uses it up.
  func take() { while sem_wait(semaphore) != 0 {} }

  /// Waits for the signal and passes it on, so that any number of threads may wait for it.
  func wait() {
    while sem_wait(semaphore) != 0 {}
    sem_post(semaphore)
  }
}
