import MurphyJudge
import MurphyModel
import Testing

/// Limits on which a request costs more than 1, against simulated limiters.
@Suite struct WeightedLimitTests {
  /// 500 limiters in total.
  private static let seeds: Range<UInt64> = 0..<100

  @Test(arguments: LimitAlgorithm.concrete) func `a correct declaration is never refuted`(
    _ algorithm: LimitAlgorithm
  ) {
    var passed = 0
    for seed in Self.seeds {
      let row = SimulatedCosts(algorithm, seed: seed).row()
      #expect(row.verdict == .consistent || row.verdict == .inconclusive, "seed \(seed): \(row.sentence)")
      passed += row.verdict == .consistent ? 1 : 0
    }
    #expect(passed >= 80, "\(passed) of \(Self.seeds.count) passed")
  }

  @Test(arguments: LimitAlgorithm.concrete) func `a quota that is wrong by more than 2 % never passes`(
    _ algorithm: LimitAlgorithm
  ) {
    var refuted = 0
    for seed in Self.seeds {
      let quota = [0.8, 0.95, 1.05, 1.2][Int(seed % 4)]
      let row = SimulatedCosts(algorithm, seed: seed).row(quota: quota)
      #expect(row.verdict != .consistent, "seed \(seed), quota \(quota): \(row.sentence)")
      refuted += row.verdict == .inconclusive ? 0 : 1
    }
    #expect(refuted >= 90, "\(refuted) of \(Self.seeds.count) refuted")
  }

  @Test(arguments: LimitAlgorithm.concrete) func `another cost than the limiter counts never passes`(
    _ algorithm: LimitAlgorithm
  ) {
    let costs: [(Int) -> Int] = [{ _ in 1 }, { $0 + 1 }, { $0 * 2 }, { max($0 - 1, 1) }]
    var refuted = 0
    for seed in Self.seeds {
      let row = SimulatedCosts(algorithm, seed: seed).row(cost: costs[Int(seed % 4)])
      #expect(row.verdict != .consistent, "seed \(seed): \(row.sentence)")
      refuted += row.verdict == .inconclusive ? 0 : 1
    }
    #expect(refuted >= 90, "\(refuted) of \(Self.seeds.count) refuted")
  }

  @Test func `requests without a known cost prove nothing`() {
    let row = SimulatedCosts(.fixed, seed: 1).row { _ in nil }
    #expect(row.verdict == .inconclusive)
  }
}
