import Synchronization

/// The faults of the laws that make requests wait.
extension Fault {
  static let lawLatencyFaults = [
    Fault("slow-list", .latency, on: .listLaws, "listLaws takes 600 ms longer", .delay(milliseconds: 600)),
    Fault("slow-vote", .latency, on: .voteLaw, "voteLaw takes 500 ms longer", .delay(milliseconds: 500)),
    Fault(
      "serial-votes", .latency, on: .voteLaw, "votes wait for each other, 100 ms each",
      .waitingInLine(milliseconds: 100)),
    Fault(
      "busy-list", .latency, on: .listLaws, "listLaws takes 900 ms longer after more than 8 requests within a second",
      .delay(milliseconds: 900, above: 8)),
  ]
}

/// The faults that stay within every budget: the response is correct and fast, but slower than that of the release
/// before.
extension Fault {
  static let lawRegressionFaults = [
    Fault(
      "slow-5-percent", .regression, on: .listLaws, "the work of listLaws takes 5% longer", .slower { { _ in 0.05 } }),
    Fault(
      "slow-tail-10-percent", .regression, on: .listLaws, "the slowest 5% of the work of listLaws takes 10% longer",
      .slower {
        let tail = SlowestWork()
        return { tail.isSlow($0) ? 0.1 : 0 }
      }),
  ]
}

extension Effect {
  /// Makes the list of laws take longer, and the work that the option `work` adds to each request.
  ///
  /// - Parameter makeShare: creates the function that maps the nanoseconds of the work to the share by which it takes
  ///   longer; once for the list and once for the option.
  fileprivate static func slower(_ makeShare: @escaping @Sendable () -> @Sendable (Int64) -> Double) -> Effect {
    Effect { server in
      let (list, wait) = (makeShare(), makeShare())
      server.override(\.laws.list) { query, rest in
        try await WorkStretch.stretch(by: list) { try await rest(query) }
      }
      server.override(\.delay) { now, rest in
        let took = try await rest(now)
        return took + Int64(Double(took) * wait(took))
      }
    }
  }
}

/// Distinguishes the slowest twentieth of the work from the rest, by a threshold that follows it (Robbins and Monro,
/// 1951).
private final class SlowestWork: Sendable {
  private let threshold = Mutex(1_000_000.0)

  /// The threshold rises by 4.75 % when it is exceeded and falls by 0.25 % otherwise: it converges where one in 20
  /// exceeds it.
  func isSlow(_ nanoseconds: Int64) -> Bool {
    threshold.withLock { threshold in
      let isSlow = Double(nanoseconds) > threshold
      threshold *= isSlow ? 1.0475 : 0.9975
      return isSlow
    }
  }
}
