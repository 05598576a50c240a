import MurphyModel
import Testing

@testable import MurphyJudge

@Suite struct BudgetJudgeTests {
  @Test func aBudgetOnAnOperationThatWasNeverCalledHasNoData() {
    let row = judge(Budget(operation: "ghost", metric: .latency(percentile: 95), limit: .atMost(.seconds(1))), [])
    #expect(row.verdict == .noData)
    #expect(row.observed == nil)
  }

  @Test func enoughSamplesUnderTheLimitPass() {
    let row = judge(p95(.milliseconds(300)), Array(repeating: 10, count: 20))
    #expect(row.verdict == .pass)
    #expect(row.samples == 20)
  }

  @Test func nineteenSamplesAreTooFewForAP95ToPass() {
    #expect(judge(p95(.milliseconds(300)), Array(repeating: 10, count: 19)).verdict == .noData)
  }

  @Test func threeSlowSamplesOfFiveAreEnoughForAP95ToFail() {
    #expect(judge(p95(.milliseconds(300)), [400, 400, 400, 10, 10]).verdict == .fail)
  }

  @Test func oneSlowSampleOfFiveProvesNothing() {
    #expect(judge(p95(.milliseconds(300)), [400, 10, 10, 10, 10]).verdict == .noData)
  }

  @Test func refusalsAreNotErrors() {
    var outcomes = Outcomes()
    outcomes.ok = 90
    outcomes.limited = 10
    #expect(judge(errors(0.001), outcomes).verdict == .pass)
    outcomes.serverError = 1
    let row = judge(errors(0.001), outcomes)
    #expect(row.verdict == .fail)
    #expect(row.observed == "0.9901% (1 of 101)")
  }

  @Test func theStarTakesAllOperationsTogether() {
    var record = RunRecord.sample
    for name in ["a", "b"] {
      var one = OperationRecord(operation: name, method: "GET", path: "/")
      for _ in 0..<15 { one.latency.record(5_000_000) }
      record.operations.append(one)
    }
    let budget = Budget(operation: "*", metric: .latency(percentile: 95), limit: .atMost(.milliseconds(6)))
    let row = BudgetJudge.judge([budget], record: record)[0]
    #expect(row.samples == 30)
    #expect(row.verdict == .pass)
  }

  @Test func aLatencyThatOnlyLatenessMadeLongIsKnown() {
    var record = RunRecord.sample
    var one = OperationRecord(operation: "op", method: "GET", path: "/")
    for _ in 0..<40 {
      one.latency.record(400_000_000)
      one.service.record(10_000_000)
    }
    record.operations = [one]
    let budgets = [p95(.milliseconds(300))]
    let rows = BudgetJudge.judge(budgets, record: record)
    #expect(BudgetJudge.owedToLateness(rows, of: budgets, record: record).isEmpty)
    var late = LatencyHistogram()
    late.record(390_000_000)
    record.generator.lateness = LatencySummary(late)
    #expect(BudgetJudge.owedToLateness(rows, of: budgets, record: record) == rows)
  }

  @Test func theBinomialTailIsThatOfTextbooks() {
    // Ten fair coins: P(X ≥ 8) = 56/1024.
    #expect(abs(binomialTail(atLeast: 8, of: 10, probability: 0.5) - 56.0 / 1024) < 1e-12)
    #expect(binomialTail(atLeast: 0, of: 10, probability: 0.5) == 1)
    #expect(binomialTail(atLeast: 11, of: 10, probability: 0.5) == 0)
  }

  private func p95(_ limit: Duration) -> Budget {
    Budget(operation: "op", metric: .latency(percentile: 95), limit: .atMost(limit))
  }

  private func errors(_ share: Double) -> Budget { Budget(operation: "op", metric: .errors, limit: .share(share)) }

  private func judge(_ budget: Budget, _ milliseconds: [Int64]) -> BudgetRow {
    var one = OperationRecord(operation: "op", method: "GET", path: "/")
    for value in milliseconds { one.latency.record(value * 1_000_000) }
    return judge(budget, one)
  }

  private func judge(_ budget: Budget, _ outcomes: Outcomes) -> BudgetRow {
    var one = OperationRecord(operation: "op", method: "GET", path: "/")
    one.outcomes = outcomes
    return judge(budget, one)
  }

  private func judge(_ budget: Budget, _ operation: OperationRecord) -> BudgetRow {
    var record = RunRecord.sample
    record.operations = [operation]
    return BudgetJudge.judge([budget], record: record)[0]
  }
}
