import MurphyModel

/// A run whose server stopped answering for its last third: timeouts, requests open at the end, searches that were
/// superseded, and some that murphy sent late.
enum FrozenSample {
  static let result = make()

  private static func make() -> RunResult {
    var result = SampleRun(seconds: 40).result(.fail)
    result.reasons = ["listLaws p99 is at least 8.26 s, over the budget of 2 s."]
    freeze(&result.operations[0])
    late(&result.operations[1])
    // The superseded ones are in the account already.
    let (lost, late) = (67 + 138, 500)
    result.operations[0].requests += lost
    result.operations[1].requests += late
    result.operations[1].outcomes.ok += late
    result.operations[1].statuses[0].count += late
    result.ledger.planned += lost + late
    result.ledger.sent += lost + late
    result.ledger.answered += late
    result.ledger.conformant += late
    result.ledger.transport += 67
    result.ledger.inFlightAtEnd += 138
    result.operations[0].outcomes.transport = 67
    result.budgets = budgets(result.operations)
    result.generator.add([
      GeneratorReservation(
        .lateFigures,
        "murphy sent 1% of the requests more than 174 ms late; the measured latency is 123 ms (p95) and 260 ms (p99)"
      )
    ])
    return result
  }

  private static func freeze(_ operation: inout OperationResult) {
    var account = operation.account
    for index in 0..<67 { account.censor(.timeout, waited: 10_000_000_000 + Int64(index), service: 10_000_000_000) }
    for index in 0..<138 { account.censor(.end, waited: Int64(index) * 70_000_000, service: Int64(index) * 70_000_000) }
    for _ in 0..<31 { account.censor(.superseded, waited: 210_000_000, service: 205_000_000, patience: 200_000_000) }
    operation.enter(account)
  }

  private static func late(_ operation: inout OperationResult) {
    var account = operation.account
    for index in 0..<500 {
      let delay = 100_000_000 + Int64(index) * 200_000
      account.countResponse(latency: delay + 2_000_000, late: delay, service: 2_000_000)
    }
    operation.latency = LatencySummary(account.latency)
    operation.service = LatencySummary(account.service)
    operation.enter(account)
  }

  private static func budgets(_ operations: [OperationResult]) -> [BudgetRow] {
    let (list, law) = (operations[0], operations[1])
    var broken = row(list, .latency(percentile: 99), 2_000_000, .fail)
    broken.observed = list.latencyBounds.map { MeasuredRange($0.p99) }
    var patient = row(list, .latency(percentile: 90), 300_000, .pass)
    patient.observed = list.latencyBounds.map { MeasuredRange($0.p90) }
    patient.patient = 7_541
    var open = row(list, .meanLatency, 300_000, .noData)
    open.observed = list.latencyBounds.map { MeasuredRange($0.mean) }
    open.undecided = .init(
      .unanswered, "236 of 8,683 requests have no complete response, so the mean has no upper bound")
    var doubtful = row(law, .latency(percentile: 95), 50_000, .noData)
    doubtful.observed = law.latencyBounds.map { MeasuredRange($0.p95) }
    doubtful.undecided = .init(
      .generator,
      "murphy itself sent 500 requests late, so this budget has no verdict: the API may not be the cause. "
        + "Give murphy more cores, or reduce the load")
    return [broken, patient, open, doubtful]
  }

  private static func row(
    _ operation: OperationResult, _ metric: Budget.Metric, _ microseconds: Double, _ verdict: RowVerdict
  ) -> BudgetRow {
    var row = BudgetRow(
      operation: operation.operation, metric: metric, limit: Measure(microseconds, .microseconds), observed: nil,
      samples: operation.samples ?? 0, samplesNeeded: 59,
      state: CheckState(verdict, trials: operation.samples ?? 0))
    row.unanswered = operation.censored?.unanswered
    return row
  }
}
