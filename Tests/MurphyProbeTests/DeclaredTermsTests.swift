import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// A probe agrees with declared terms only where it asked what another window would have answered otherwise.
@Suite struct DeclaredTermsTests {
  static let kinds: [LimitAlgorithm] = [.fixed, .fixedAligned, .slidingLog, .slidingCounter, .tokenBucket]

  /// - Parameters:
  ///   - factor: of the declared window, that of the limiter.
  ///   - isNamed: the declaration names the algorithm.
  private static func probe(
    _ kind: LimitAlgorithm, _ factor: Double, isNamed: Bool, seed: UInt64
  ) async throws -> (policy: LimitPolicy, report: ProbeReport) {
    var random = RandomSource(seed: 41, stream: seed)
    let (allowance, window) = (5 + Int(random.next() % 60), random.uniform(3, 10))
    var limiter = LimiterModel(
      kind, allowance: allowance, window: factor * window, phase: random.uniform(0, factor * window))
    var options = ProbeOptions(maxRequests: 100_000, time: .seconds(100_000))
    let policy = LimitPolicy(
      name: "listLaws", operations: ["listLaws"], algorithm: isNamed ? kind : .any, allowance: allowance,
      window: .seconds(window), key: .global)
    options.declared = policy
    var target = VirtualTarget(admits: { _, moment in limiter.admits(at: moment) }, random: random)
    var prober = Prober(operation: "listLaws", options: options)
    return (policy, try await prober.run(on: &target))
  }

  @Test(arguments: kinds, [true, false]) func `a shorter or longer window is not what is declared`(
    _ kind: LimitAlgorithm, _ isNamed: Bool
  ) async throws {
    for factor in [0.75, 1.33] {
      for index in 0..<SimulationSize.count(100, least: 8) {
        let (policy, report) = try await Self.probe(kind, factor, isNamed: isNamed, seed: UInt64(index))
        #expect(
          report.agreesWithDeclared != true, "\(policy.text), really \(kind.text) × \(factor): \(report.sentences)")
      }
    }
  }

  @Test(arguments: kinds, [true, false]) func `an honest limiter is what is declared`(
    _ kind: LimitAlgorithm, _ isNamed: Bool
  ) async throws {
    var agreed = 0
    let count = SimulationSize.count(100, least: 10)
    for index in 0..<count {
      let (policy, report) = try await Self.probe(kind, 1, isNamed: isNamed, seed: UInt64(100 + index))
      #expect(report.agreesWithDeclared != false, "\(policy.text): \(report.sentences)")
      agreed += report.agreesWithDeclared == true ? 1 : 0
    }
    print("\(kind.rawValue), \(isNamed ? "named" : "any"): \(agreed) of \(count) agree")
    #expect(10 * agreed >= 7 * count)
  }
}
