import NIOCore

/// Runs tasks on the thread of one event loop, so that a request never changes threads between its socket and its
/// answer: with one loop this is twice as fast as the global pool, and leaves the other cores to the load generator.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
