import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// Two policies that share one counter are probed one after the other: what the first probe sent is no cause for a wrong
/// conclusion of the second.
@Suite struct SharedCounterTests {
  static let kinds: [LimitAlgorithm] = [.fixed, .fixedAligned, .slidingLog, .slidingCounter, .tokenBucket]

  @Test(arguments: kinds, [12, 45, 100_000]) func `requests from before a probe are not called another limiter`(
    _ kind: LimitAlgorithm, _ maxSeconds: Int
  ) async throws {
    var unfinished = 0
    for index in 0..<SimulationSize.count(200, least: 10) {
      var random = RandomSource(seed: 31, stream: UInt64(index))
      let (allowance, window) = (3 + Int(random.next() % 20), random.uniform(2, 10))
      var limiter = LimiterModel(kind, allowance: allowance, window: window, phase: random.uniform(0, window))
      // The probe before used the quota up, or a part of it.
      let before = 1 + Int(random.next() % UInt64(2 * allowance))
      var moment = -random.uniform(0.05, 0.9) * window
      for _ in 0..<before {
        _ = limiter.admits(at: moment)
        moment += random.uniform(0, -moment / Double(before))
      }
      var options = ProbeOptions(maxRequests: 100_000, time: .seconds(maxSeconds))
      options.startsQuiet = false
      options.declared = LimitPolicy(
        name: "voteLaw", operations: ["voteLaw"], algorithm: kind, allowance: allowance, window: .seconds(window),
        key: .global)
      var target = VirtualTarget(admits: { _, moment in limiter.admits(at: moment) }, random: random)
      var prober = Prober(operation: "voteLaw", options: options)
      let report = try await prober.run(on: &target)
      let terms: Comment = "\(allowance) per \(window), \(before) before: \(report.sentences)"
      #expect(report.outcome != .unexplained, terms)
      #expect(report.agreesWithDeclared != false, terms)
      if report.outcome == .unfinished { unfinished += 1 }
    }
    print("\(kind.rawValue), at most \(maxSeconds) s: \(unfinished) unfinished")
  }
}
