import MurphyModel

extension EventLoop {
  /// Suspends the calling task until `deadline`; on time to a few microseconds when the loop is idle.
  ///
  /// Returns false when `interruptSleepers` ended the sleep early.
  nonisolated(nonsending) package func sleep(until deadline: Instant) async -> Bool {
    await withUnsafeContinuation { continuation in
      _ = timers.set(deadline, .resume(continuation))
    }
  }

  /// Ends every sleep on this loop now.
  package func interruptSleepers() {
    for sleeper in timers.takeSleepers() { sleeper.resume(returning: false) }
  }
}
