import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// Runs whose medians differ by a draw for each run, as on one machine that is busy now and then (sd 3.6 %).
@Suite struct StoredJudgeTests {
  static let judge = StoredJudge(ComparePromise(metrics: [.p50]))
  static let controlled = StoredJudge(ComparePromise(metrics: [.p50]), control: "echo")

  /// A run in which every request of an operation takes as long.
  static func run(_ logarithm: Double, control: Double? = nil) -> [String: ArmSample] {
    func sample(_ logarithm: Double) -> ArmSample {
      var sample = ArmSample()
      sample.latencies = [LatencyHistogram.Bucket(value: Int64(1e7 * exp(logarithm)), count: 1000)]
      (sample.requests, sample.responses, sample.succeeded) = (1000, 1000, 1000)
      return sample
    }
    var run = ["list": sample(logarithm)]
    if let control { run["echo"] = sample(control) }
    return run
  }

  /// `correlation` with a control that the same draw moves.
  static func runs(
    _ count: Int, _ random: inout RandomSource, deviation: Double = 0.036, slower: Double = 0, correlation: Double = 0
  ) -> [[String: ArmSample]] {
    (0..<count).map { _ in
      let (shared, own) = (random.normal(), random.normal())
      let logarithm = deviation * (correlation * shared + (1 - correlation * correlation).squareRoot() * own)
      return run(logarithm + log1p(slower), control: deviation * shared)
    }
  }

  static func row(_ judge: StoredJudge, _ base: [[String: ArmSample]], _ candidate: [[String: ArmSample]])
    throws -> CompareRow
  {
    try #require(
      judge.operationRows(base: base, candidate: candidate, operations: ["list", "echo"]).first {
        $0.operation == "list"
      }?[.p50])
  }

  /// The same computation with numpy and scipy.
  @Test func `the numbers are those of the formula`() throws {
    let base = [0.00, 0.03, -0.02, 0.01, -0.01, 0.02].map { Self.run($0) }
    let row = try Self.row(Self.judge, base, [0.10, 0.12].map { Self.run($0) })
    #expect(abs(try #require(row.change) - expm1(0.105)) < 1e-5)
    // s = 0.0187083, t = 0.105 / (s·√(1/2 + 1/6)) = 6.8739 with 5 degrees of freedom
    #expect(abs(try #require(row.pValue) - 0.000_498_3) < 1e-6)
    // (3.36493 + 2.01505)·s·√(2/3)
    #expect(abs(try #require(row.smallestEffect) - expm1(0.082182)) < 1e-4)
  }

  @Test func `two copies of one program rarely fail`() throws {
    var fails = 0
    let trials = SimulationSize.count(4000, least: 400)
    for seed in 0..<UInt64(trials) {
      var random = RandomSource(seed: seed)
      let judge = seed.isMultiple(of: 2) ? Self.judge : Self.controlled
      let (base, candidate) = (
        Self.runs(10, &random, correlation: 0.9), Self.runs(3, &random, correlation: 0.9)
      )
      fails += try Self.row(judge, base, candidate).verdict == .fail ? 1 : 0
    }
    print("stored A/A: \(fails) of \(trials) failed")
    #expect(fails <= trials / 100)
  }

  @Test func `a control finds five percent that runs alone do not`() throws {
    let trials = SimulationSize.count(1000, least: 100)
    var found = (plain: 0, controlled: 0)
    for seed in 0..<UInt64(trials) {
      var random = RandomSource(seed: seed, stream: 7)
      let base = Self.runs(10, &random, correlation: 0.95)
      let candidate = Self.runs(3, &random, slower: 0.05, correlation: 0.95)
      found.plain += try Self.row(Self.judge, base, candidate).verdict == .fail ? 1 : 0
      found.controlled += try Self.row(Self.controlled, base, candidate).verdict == .fail ? 1 : 0
    }
    print("stored +5 %: found \(found.plain) without and \(found.controlled) with a control, of \(trials)")
    #expect(Double(found.controlled) >= 0.9 * Double(trials))
    #expect(found.controlled > 2 * found.plain)
  }

  @Test func `nothing fails below the smallest effect that could be seen`() throws {
    var failed = 0
    for seed in 0..<200 as Range<UInt64> {
      var random = RandomSource(seed: seed)
      let base = Self.runs(4, &random, deviation: 0.1)
      let row = try Self.row(Self.judge, base, Self.runs(2, &random, deviation: 0.1, slower: 0.6))
      let (smallest, change) = (try #require(row.smallestEffect), try #require(row.change))
      if smallest > 0.1, change < smallest { #expect(row.verdict == .noData, "seed \(seed)") }
      failed += row.verdict == .fail ? 1 : 0
    }
    print("+60 % beside runs that differ by 10 %: found in \(failed) of 200")
    #expect(failed > 20, "what is larger than that is not waved through")
  }

  @Test func `runs that agree pass`() throws {
    var random = RandomSource(seed: 3)
    let base = Self.runs(10, &random, deviation: 0.01)
    #expect(try Self.row(Self.judge, base, Self.runs(5, &random, deviation: 0.01)).verdict == .pass)
  }
}
