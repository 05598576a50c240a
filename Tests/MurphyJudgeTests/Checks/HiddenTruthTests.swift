import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct HiddenTruthTests {
  /// Of the 10,000 published cases this run takes a part; see `SimulationSize`.
  private static let cases = SimulationSize.count(10_000, least: 500)

  /// Whatever the requests without a response would have come to, and however late murphy was: no broken budget is
  /// called kept, no kept one broken, and the true percentile lies in the interval that is shown. The same after
  /// merging one to seven loops in any order, with counts made during the run or from histograms alone.
  @Test func `no verdict is false whatever was not seen`() {
    let seed: UInt64 = 20_261_121
    var random = RandomSource(seed: seed)
    var counts = Counts()
    for index in 0..<Self.cases {
      let truth = HiddenTruth(&random)
      let isCounting = index.isMultiple(of: 2)
      let merged = merge(truth.shards(1 + Int(random.unit() * 7), isCounting: isCounting, &random), &random)
      counts.enter(truth, merged, isCounting: isCounting, "seed \(seed), case \(index)")
    }
    print("seed \(seed): \(counts)")
    // The cases are hard enough to fail: responses alone would call many a broken budget kept.
    #expect(counts.wronglyKeptByAnswersAlone > Self.cases / 25)
    #expect(counts.broken > Self.cases / 6)
    #expect(counts.kept > Self.cases / 6)
    #expect(counts.mergedOtherwise == 0)
  }

  private func merge(_ shards: [LatencyAccount], _ random: inout RandomSource) -> LatencyAccount {
    var shards = shards
    while shards.count > 1 {
      let part = shards.remove(at: Int(random.unit() * Double(shards.count)))
      shards[Int(random.unit() * Double(shards.count))].merge(part)
    }
    return shards[0]
  }

  private struct Counts {
    var broken = 0
    var kept = 0
    var open = 0
    var wronglyKeptByAnswersAlone = 0
    var mergedOtherwise = 0

    mutating func enter(_ truth: HiddenTruth, _ account: LatencyAccount, isCounting: Bool, _ place: String) {
      let limit = Duration.nanoseconds(truth.limit)
      let budget = Budget(operation: "op", metric: .latency(percentile: truth.percentile), limit: .atMost(limit))
      let row = BudgetJudge.percentileRow(budget, account, limit)
      #expect(account.samples == truth.latencies.count, "\(place)")
      #expect((account.bound(isService: false, limit: truth.limit) != nil) == isCounting, "\(place)")
      switch row.verdict {
      case .fail:
        broken += 1
        #expect(truth.isBroken, "false broken: \(place)")
      case .pass:
        kept += 1
        #expect(!truth.isBroken, "false kept: \(place)")
      case .noData, .notTested:
        open += 1
        #expect(row.undecided != nil, "\(place)")
      }
      // Buckets are true to one part in a thousand.
      let value = Double(truth.truth) / 1000
      #expect((row.observed?.low ?? 0) <= value * 1.001 + 0.1, "\(place)")
      #expect((row.observed?.high ?? .infinity) >= value * 0.999 - 0.1, "\(place)")
      if truth.isBroken, account.latency.percentile(truth.percentile) <= truth.limit { wronglyKeptByAnswersAlone += 1 }
      let whole = truth.seen.count { one in
        if case .answered = one { false } else { true }
      }
      if whole != account.censored.total { mergedOtherwise += 1 }
    }
  }
}
