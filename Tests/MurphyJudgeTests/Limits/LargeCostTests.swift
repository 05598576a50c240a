import MurphyJudge
import MurphyModel
import Testing

/// Costs and quotas up to their maximum: a server chooses the costs in its responses.
@Suite struct LargeCostTests {
  private static func policy(_ allowance: Int, _ algorithm: LimitAlgorithm = .fixed) -> LimitPolicy {
    var policy = LimitPolicy(
      name: "points", operations: [], algorithm: algorithm, allowance: allowance, window: .seconds(10), key: .global,
      tick: .milliseconds(1))
    policy.cost = LimitCost(text: "$.cost", isCountedLate: true)
    return policy
  }

  /// - Parameter costs: by request; nil for a response without a cost.
  private static func log(_ costs: [Int?], status: (Int) -> UInt16 = { _ in 200 }) -> LimitLog {
    var builder = LogBuilder()
    for (index, cost) in costs.enumerated() {
      let sent = 0.01 * Double(index)
      builder.add(sent, sent + 0.005, status(index))
      builder.log.costs.append(cost.map { ["$.cost": $0] } ?? [:])
      builder.log.observations[index].costs = Int32(index)
    }
    return builder.log
  }

  @Test(arguments: [1, 30, 101, 20_000, 30_000_000, LimitCost.most])
  func `the memory of a trace does not depend on the costs`(_ allowance: Int) {
    var random = RandomSource(seed: UInt64(allowance))
    for trial in 0..<6 {
      let costs = (0..<40).map { _ -> Int? in
        switch random.next() % 4 {
        case 0: nil
        case 1: 1
        case 2: LimitCost.most
        default: Int(random.next() % UInt64(LimitCost.most)) >> Int(random.next() % 30)
        }
      }
      let log = Self.log(costs) { (trial + $0).isMultiple(of: 3) ? 429 : 200 }
      let traces = KeyedTrace.traces(of: log, under: Self.policy(allowance)).traces
      #expect(traces.count == 1)
      for trace in traces {
        let most = LimitWeighing.mostUnits + 5 * costs.count
        #expect(trace.trace.possibleSent.count <= most, "costs \(costs)")
        #expect(trace.trace.certainSent.count <= trace.trace.possibleSent.count)
      }
    }
  }

  @Test(arguments: [1_000_000, LimitCost.most], LimitAlgorithm.concrete)
  func `admissions after a cost above the quota are too many`(_ cost: Int, _ algorithm: LimitAlgorithm) {
    let rows = LimitJudge.judge(
      log: Self.log(Array(repeating: cost, count: 20)), policies: [Self.policy(30, algorithm)],
      options: LimitJudgeOptions(startsQuiet: true, sharesClock: true)
    ).rows
    #expect(rows.map(\.verdict) == [.overAdmission])
  }

  @Test(arguments: LimitAlgorithm.concrete + [.any])
  func `a long rejection after a cost above the quota is no proof`(_ algorithm: LimitAlgorithm) {
    // A bucket of 30 tokens owes 970 of them, and rejects for more than 300 s.
    var builder = LogBuilder()
    for index in 0..<12 {
      let sent = algorithm == .tokenBucket || algorithm == .any ? 20 * Double(index) : 0.5 * Double(index)
      builder.add(sent, sent + 0.005, index == 0 ? 200 : 429)
      builder.log.costs.append(["$.cost": index == 0 ? 1_000 : 1])
      builder.log.observations[index].costs = Int32(index)
    }
    let rows = LimitJudge.judge(
      log: builder.log, policies: [Self.policy(30, algorithm)],
      options: LimitJudgeOptions(startsQuiet: true, sharesClock: true)
    ).rows
    #expect(rows.map(\.verdict) == [.inconclusive], "\(rows.map(\.sentence))")
  }

  @Test func `a quota of many units without any known cost proves nothing`() {
    let rows = LimitJudge.judge(
      log: Self.log(Array(repeating: nil, count: 20)), policies: [Self.policy(30_000_000)],
      options: LimitJudgeOptions(startsQuiet: true, sharesClock: true)
    ).rows
    #expect(rows.map(\.verdict) == [.inconclusive])
  }
}
