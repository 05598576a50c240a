import MurphyJudge
import MurphyModel
import Testing

/// What a run shows about the quota of a limit with costs.
@Suite struct CostEvidenceTests {
  /// One client sends each cost, 5 ms after the last, then waits for the end of the window and sends a cost of 1.
  private static func row(
    _ allowance: Int, window: Double, costs: [Int], measuresStrength: Bool = false
  ) -> LimitRow {
    var policy = LimitPolicy(
      name: "points", operations: [], algorithm: .fixed, allowance: allowance, window: .saturating(seconds: window),
      key: .global, tick: .milliseconds(1))
    policy.cost = LimitCost(text: "query.n", isCountedLate: false)
    var limiter = LimiterModel(.fixed, allowance: allowance, window: window)
    var builder = LogBuilder()
    for (index, cost) in (costs + [1]).enumerated() {
      let sent = index < costs.count ? 0.005 * Double(index) : window + 0.2
      let isAdmitted = limiter.admits(at: sent + 0.002, cost: cost)
      builder.add(sent, sent + 0.004, isAdmitted ? 200 : 429)
      builder.log.costs.append(["query.n": cost])
      builder.log.observations[index].costs = Int32(index)
    }
    var options = LimitJudgeOptions(startsQuiet: true, sharesClock: true)
    options.measuresStrength = measuresStrength
    return LimitJudge.judge(log: builder.log, policies: [policy], options: options).rows[0]
  }

  @Test(arguments: [false, true])
  func `small requests after large ones show a quota of any size`(_ measuresStrength: Bool) {
    // The large requests need more than 20,000, and 250 small ones show the rest of less than 200.
    let costs = (0..<260).map { 1 + $0 * 83 % 200 } + Array(repeating: 1, count: 250)
    let row = Self.row(20_000, window: 4, costs: costs, measuresStrength: measuresStrength)
    #expect(row.verdict == .consistent, "\(row.sentence)")
  }

  @Test func `the evidence names the cost that was used before a rejection`() throws {
    let row = Self.row(100, window: 10, costs: Array(repeating: 10, count: 9) + [9, 2])
    let held = try #require(row.tests?.first { $0.test == .held })
    #expect(held.outcome == .kept)
    #expect(held.sentence == "1 rejected key had been admitted at a cost of 99 or more within 10 s")
  }

  @Test func `a rejection of a request that costs more than the quota shows no used quota`() throws {
    let row = Self.row(100, window: 10, costs: Array(repeating: 10, count: 9) + [150])
    let held = try #require(row.tests?.first { $0.test == .held })
    #expect(held.outcome == .notTested && row.verdict == .inconclusive, "\(row.sentence)")
  }
}
