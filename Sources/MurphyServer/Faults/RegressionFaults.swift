import Synchronization

/// The faults that no budget notices: the answer is right and soon, and later than the release before would have sent it.
extension Fault {
  static let regressionFaults = [
    Fault(
      "slow-5-percent", .regression, on: .listLaws, "the work of listLaws takes 5% longer",
      .at(\.list) { query, rest in try await WorkStretch.stretch(by: 0.05) { try await rest(query) } }),
    Fault(
      "slow-tail-10-percent", .regression, on: .listLaws, "the slowest 5% of the work of listLaws takes 10% longer",
      Effect { server in
        let tail = SlowestWork()
        server.override(\.list) { query, rest in
          try await WorkStretch.stretch(by: { tail.isSlow($0) ? 0.1 : 0 }, { try await rest(query) })
        }
      }),
  ]
}

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

/// Tells the slowest twentieth of the work from the rest, by a threshold that follows it (Robbins and Monro, 1951).
private final class SlowestWork: Sendable {
  private let threshold = Mutex(1_000_000.0)

  /// The threshold rises by 4.75 % when it is exceeded and falls by 0.25 % otherwise: it rests where one in 20 exceeds.
  func isSlow(_ nanoseconds: Int64) -> Bool {
    threshold.withLock { threshold in
      let isSlow = Double(nanoseconds) > threshold
      threshold *= isSlow ? 1.0475 : 0.9975
      return isSlow
    }
  }
}
