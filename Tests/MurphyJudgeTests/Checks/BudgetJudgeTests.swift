import MurphyJudge
import MurphyModel
import Testing

@Suite struct BudgetJudgeTests {
  @Test func `a budget on an operation that was never called is not tested`() {
    let row = judge(Budget(operation: "ghost", metric: .latency(percentile: 95), limit: .atMost(.seconds(1))), [])
    #expect(row.verdict == .notTested && row.trials == 0)
    #expect(row.observed == nil)
    #expect(row.undecided?.cause == .nothingMeasured)
  }

  @Test func `enough samples under the limit pass`() {
    let row = judge(p95(.milliseconds(300)), Array(repeating: 10, count: 59))
    #expect(row.verdict == .pass)
    #expect(row.samples == 59)
    #expect(row.undecided == nil)
  }

  @Test func `fifty eight samples are too few for AP 95 to pass`() {
    let row = judge(p95(.milliseconds(300)), Array(repeating: 10, count: 58))
    #expect(row.verdict == .noData)
    #expect(row.undecided?.cause == .tooFewSamples)
    #expect(row.undecided?.sentence == "58 samples are too few to decide; 59 are needed")
  }

  @Test func `three slow samples of five are enough for AP 95 to fail`() {
    #expect(judge(p95(.milliseconds(300)), [400, 400, 400, 10, 10]).verdict == .fail)
  }

  @Test func `one slow sample of five proves nothing`() {
    #expect(judge(p95(.milliseconds(300)), [400, 10, 10, 10, 10]).verdict == .noData)
  }

  /// Of 100 requests 5 may be slow.
  @Test func `requests without a response that could break a budget leave it open`() {
    for (missing, verdict) in [(5, RowVerdict.pass), (6, .noData)] {
      let row = judge(p95(.milliseconds(300)), account(fast: 100 - missing, .reset, missing, waited: 2))
      #expect(row.verdict == verdict)
      #expect(row.samples == 100)
      #expect(row.unanswered == missing)
    }
    let row = judge(p95(.milliseconds(300)), account(fast: 94, .reset, 6, waited: 2))
    #expect(row.undecided?.cause == .unanswered)
    #expect(
      row.undecided?.sentence
        == "6 of 100 requests ended without a response before 300 ms, so their latency is unknown; the budget allows 5 "
        + "slower requests")
    #expect(row.observedText == "at least 2 ms")
  }

  @Test func `requests that waited for longer than the limit break it`() {
    let row = judge(p95(.milliseconds(300)), account(fast: 94, .timeout, 6, waited: 5_000))
    #expect(row.verdict == .fail)
    #expect(row.observedText == "at least 5 s")
    #expect(BudgetJudge.findings([row]).first?.message == "p95 is at least 5 s, over the budget of 300 ms")
  }

  @Test func `a mean and a maximum have no upper end once a response is missing`() {
    let open = account(fast: 99, .reset, 1, waited: 2)
    for metric in [Budget.Metric.meanLatency, .maxLatency, .meanService, .maxService] {
      let budget = Budget(operation: "op", metric: metric, limit: .atMost(.milliseconds(300)))
      #expect(judge(budget, open).verdict == .noData)
      #expect(judge(budget, account(fast: 99, .timeout, 1, waited: 90_000)).verdict == .fail)
      #expect(judge(budget, account(fast: 99, .timeout, 0, waited: 0)).verdict == .pass)
    }
  }

  @Test func `rejections are no trials of errors`() {
    var outcomes = Outcomes()
    outcomes.ok = 90
    outcomes.limited = 10
    #expect(judge(errors(0.001), outcomes).verdict == .pass)
    outcomes.serverError = 1
    let row = judge(errors(0.001), outcomes)
    #expect(row.verdict == .fail)
    #expect(row.observedText == "1.099% (1 of 91)")
  }

  /// Whatever the responses were: where none succeeded, no budget that they keep was tested.
  @Test(arguments: [429, 302, 304, 404]) func `a budget of an operation that never succeeded is not tested`(status: Int)
  {
    var one = OperationRecord(operation: "op", method: "GET", path: "/")
    (one.sent, one.statuses) = (400, [StatusCount(status: status, count: 400)])
    if status == 429 {
      one.outcomes.limited = 400
    } else {
      if status == 404 { one.outcomes.clientError = 400 } else { one.outcomes.ok = 400 }
      for _ in 0..<400 { one.account.countResponse(latency: 1_000_000, service: 1_000_000) }
    }
    let throughput = Budget(operation: "op", metric: .throughput, limit: .atLeast(Rate(perSecond: 0.001)))
    for budget in [p95(.seconds(1)), Budget(operation: "op", metric: .meanLatency, limit: .atMost(.seconds(1)))]
      + [errors(1), throughput]
    {
      let row = judge(budget, one)
      #expect(row.verdict == .notTested || (status == 429 && row.verdict == .fail), "\(budget.metric)")
      if row.verdict == .notTested {
        #expect(row.trials == 0 && row.undecided?.sentence == "no request succeeded (\(status) × 400)")
      }
    }
    one.succeeded = 1
    if status != 429 { #expect(judge(p95(.seconds(1)), one).state == CheckState(trials: 400)) }
  }

  /// 100 due besides 20 superseded; 10 open at the end.
  @Test func `the error share counts what was not answered and leaves out the superseded`() {
    var one = OperationRecord(operation: "op", method: "GET", path: "/")
    (one.outcomes.ok, one.outcomes.cancelled) = (90, 20)
    for _ in 0..<90 { one.account.countResponse(latency: 1_000_000, service: 1_000_000) }
    for _ in 0..<20 { one.account.censor(.superseded, waited: 1_000_000) }
    for _ in 0..<10 { one.account.censor(.end, waited: 1_000_000) }
    let open = judge(errors(0.05), one)
    #expect(open.verdict == .noData)
    #expect(open.observedText == "0% .. 10% (0 to 10 of 100)")
    #expect(judge(errors(0.1), one).verdict == .pass)
    #expect(judge(errors(0.1), one).shareAtMost.map { $0 > 0.1 } == true)
    one.overdueAtEnd = 6
    let broken = judge(errors(0.05), one)
    #expect(broken.verdict == .fail)
    #expect(broken.observedText == "6% .. 10% (6 to 10 of 100)")
  }

  @Test func `what murphy did not send is no error of the API`() {
    var one = OperationRecord(operation: "op", method: "GET", path: "/")
    (one.outcomes.ok, one.outcomes.transport, one.exhausted) = (90, 10, 10)
    for _ in 0..<90 { one.account.countResponse(latency: 1_000_000, service: 1_000_000) }
    for _ in 0..<10 { one.account.censor(.unsentMurphy, waited: 5_000_000) }
    let row = judge(errors(0.05), one)
    #expect(row.verdict == .noData)
    #expect(row.undecided?.cause == .generator)
  }

  @Test func `the star takes all operations together`() {
    var record = RunRecord.sample
    for name in ["a", "b"] {
      var one = OperationRecord(operation: name, method: "GET", path: "/")
      for _ in 0..<30 { one.latency.record(5_000_000) }
      record.operations.append(one)
    }
    let budget = Budget(operation: "*", metric: .latency(percentile: 95), limit: .atMost(.milliseconds(6)))
    let row = BudgetJudge.judge([budget], record: record)[0]
    #expect(row.samples == 60)
    #expect(row.verdict == .pass)
  }

  @Test func `a latency that only lateness made long is neither broken nor kept`() {
    var one = OperationRecord(operation: "op", method: "GET", path: "/")
    for _ in 0..<80 { one.account.countResponse(latency: 400_000_000, late: 390_000_000, service: 10_000_000) }
    let row = judge(p95(.milliseconds(300)), one)
    #expect(row.verdict == .noData)
    #expect(row.undecided?.cause == .generator)
    #expect(row.observedText == "10.002 .. 400 ms")
    #expect(judge(p95(.milliseconds(500)), one).verdict == .pass)
    #expect(judge(p95(.milliseconds(9)), one).verdict == .fail)
  }

  private func p95(_ limit: Duration) -> Budget {
    Budget(operation: "op", metric: .latency(percentile: 95), limit: .atMost(limit))
  }

  private func errors(_ share: Double) -> Budget { Budget(operation: "op", metric: .errors, limit: .share(share)) }

  /// Requests answered after 1 ms, and some without a response.
  private func account(fast: Int, _ cause: CensoringCause, _ missing: Int, waited milliseconds: Int64)
    -> OperationRecord
  {
    var one = OperationRecord(operation: "op", method: "GET", path: "/")
    for _ in 0..<fast { one.account.countResponse(latency: 1_000_000, service: 1_000_000) }
    let waited = milliseconds * 1_000_000
    for _ in 0..<missing { one.account.censor(cause, waited: waited, service: waited) }
    return one
  }

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
