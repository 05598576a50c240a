import Synchronization

/// The faults of the laws that make requests wait, and that say nothing to refused voters.
extension Fault {
  static let lawLatencyFaults = [
    Fault("slow-list", .latency, on: .listLaws, "listLaws takes 600 ms longer", .delay(milliseconds: 600)),
    Fault("slow-vote", .latency, on: .voteLaw, "voteLaw takes 500 ms longer", .delay(milliseconds: 500)),
    Fault(
      "serial-votes", .latency, on: .voteLaw, "votes wait for each other, 100 ms each",
      .waitingInLine(milliseconds: 100)),
  ]
}

/// The faults that no budget notices: the answer is right and soon, and later than the release before would have sent it.
extension Fault {
  static let lawRegressionFaults = [
    Fault(
      "slow-5-percent", .regression, on: .listLaws, "the work of listLaws takes 5% longer",
      .at(\.laws.list) { query, rest in try await WorkStretch.stretch(by: 0.05) { try await rest(query) } }),
    Fault(
      "slow-tail-10-percent", .regression, on: .listLaws, "the slowest 5% of the work of listLaws takes 10% longer",
      Effect { server in
        let tail = SlowestWork()
        server.override(\.laws.list) { query, rest in
          try await WorkStretch.stretch(by: { tail.isSlow($0) ? 0.1 : 0 }, { try await rest(query) })
        }
      }),
  ]
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
