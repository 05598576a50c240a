/// Work that takes longer than it would by a share of its own time.
package enum WorkStretch {
  /// Shorter waits are spun: a sleep of 50 µs takes 100 µs or more.
  private static let sleepable: Int64 = 2_000_000

  package static func stretch<Output>(by share: Double, _ work: () async throws -> Output) async throws -> Output {
    try await stretch(by: { _ in share }, work)
  }

  /// - Parameter share: by the nanoseconds that the work took.
  static func stretch<Output>(
    by share: (Int64) -> Double, _ work: () async throws -> Output
  ) async throws -> Output {
    let start = MonotonicClock.now()
    let output = try await work()
    let took = MonotonicClock.now() - start
    let end = start + took + Int64(Double(took) * share(took))
    let left = end - MonotonicClock.now()
    if left > sleepable { try await Task.sleep(for: .nanoseconds(left)) }
    while MonotonicClock.now() < end {}
    return output
  }
}
