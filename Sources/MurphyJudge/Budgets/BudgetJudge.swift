import MurphyModel

/// Holds what was measured against the budgets.
///
/// A percentile p needs at least ⌈1/(1−p)⌉ samples to pass: below that the sample's percentile is just its
/// maximum. It can fail on fewer, when the samples over the limit are too many to be chance: the binomial
/// probability of seeing that many under an API that keeps the budget is below one per cent.
public enum BudgetJudge {
  /// One row for each budget, in their order. An operation that the record does not know has no samples.
  public static func judge(_ budgets: [Budget], record: RunRecord) -> [BudgetRow] {
    let total = record.operations.reduce(into: OperationRecord(operation: "*", method: "", path: "")) { total, one in
      total.planned += one.planned
      total.sent += one.sent
      total.outcomes += one.outcomes
      total.latency.merge(one.latency)
      total.service.merge(one.service)
    }
    return budgets.map { budget in
      let measured =
        budget.operation == "*"
        ? total : record.operations.first { $0.operation == budget.operation } ?? total.emptied(budget.operation)
      return row(budget, measured, elapsed: record.info.duration)
    }
  }

  private static func row(_ budget: Budget, _ measured: OperationRecord, elapsed: Double) -> BudgetRow {
    switch (budget.metric, budget.limit) {
    case (.latency(let percentile), .atMost(let limit)):
      percentileRow(budget, measured.latency, percentile, limit)
    case (.service(let percentile), .atMost(let limit)):
      percentileRow(budget, measured.service, percentile, limit)
    case (.meanLatency, .atMost(let limit)):
      row(budget, value: Int64(measured.latency.mean), of: measured.latency, limit)
    case (.maxLatency, .atMost(let limit)): row(budget, value: measured.latency.max, of: measured.latency, limit)
    case (.meanService, .atMost(let limit)):
      row(budget, value: Int64(measured.service.mean), of: measured.service, limit)
    case (.maxService, .atMost(let limit)): row(budget, value: measured.service.max, of: measured.service, limit)
    case (.errors, .share(let limit)): errorsRow(budget, measured.outcomes, limit)
    case (.throughput, .atLeast(let limit)): throughputRow(budget, measured.outcomes, limit, elapsed)
    default: BudgetRow(budget, observed: nil, samples: 0, needed: 1, .noData)
    }
  }

  private static func percentileRow(
    _ budget: Budget, _ samples: LatencyHistogram, _ percentile: Double, _ limit: Duration
  ) -> BudgetRow {
    let needed = samplesNeeded(forPercentile: percentile)
    guard !samples.isEmpty else { return BudgetRow(budget, observed: nil, samples: 0, needed: needed, .noData) }
    let observed = samples.percentile(percentile)
    let count = Int(samples.count)
    let over = observed > limit.nanoseconds
    let verdict: RowVerdict
    if count >= needed {
      verdict = over ? .fail : .pass
    } else {
      let above = Int(
        samples.count(within: min(limit.nanoseconds + 1, LatencyHistogram.highest)...LatencyHistogram.highest))
      let chance = binomialTail(atLeast: above, of: count, probability: 1 - percentile / 100)
      verdict = over && chance < 0.01 ? .fail : .noData
    }
    return BudgetRow(budget, observed: Duration.nanoseconds(observed).text, samples: count, needed: needed, verdict)
  }

  private static func row(
    _ budget: Budget, value: Int64, of samples: LatencyHistogram, _ limit: Duration
  ) -> BudgetRow {
    guard !samples.isEmpty else { return BudgetRow(budget, observed: nil, samples: 0, needed: 1, .noData) }
    return BudgetRow(
      budget, observed: Duration.nanoseconds(value).text, samples: Int(samples.count), needed: 1,
      value > limit.nanoseconds ? .fail : .pass)
  }

  private static func errorsRow(_ budget: Budget, _ outcomes: Outcomes, _ limit: Double) -> BudgetRow {
    let finished = outcomes.answered + outcomes.transport
    guard finished > 0 else { return BudgetRow(budget, observed: nil, samples: 0, needed: 1, .noData) }
    let share = Double(outcomes.errors) / Double(finished)
    return BudgetRow(
      budget, observed: "\(percentText(share)) (\(outcomes.errors) of \(finished))", samples: finished, needed: 1,
      share > limit ? .fail : .pass)
  }

  private static func throughputRow(
    _ budget: Budget, _ outcomes: Outcomes, _ limit: Rate, _ elapsed: Double
  ) -> BudgetRow {
    guard outcomes.answered > 0, elapsed > 0 else {
      return BudgetRow(budget, observed: nil, samples: 0, needed: 1, .noData)
    }
    let observed = Rate(perSecond: Double(outcomes.answered) / elapsed)
    return BudgetRow(
      budget, observed: observed.text, samples: outcomes.answered, needed: 1, observed < limit ? .fail : .pass)
  }

  /// ⌈1/(1−p)⌉, so 20 for p95 and 100 for p99.
  static func samplesNeeded(forPercentile percentile: Double) -> Int {
    percentile >= 100 ? 1 : Int((100 / (100 - percentile)).rounded(.up))
  }
}

extension Outcomes {
  /// Documented refusals of a rate limiter are not errors; an undocumented one is a contract finding.
  var errors: Int { clientError + serverError + transport }
}

extension OperationRecord {
  fileprivate func emptied(_ name: String) -> OperationRecord {
    OperationRecord(operation: name, method: "", path: "")
  }
}

extension BudgetRow {
  fileprivate init(_ budget: Budget, observed: String?, samples: Int, needed: Int, _ verdict: RowVerdict) {
    self.init(
      operation: budget.operation, metric: budget.metric.name, limit: budget.limit.text, observed: observed,
      samples: samples, samplesNeeded: needed, verdict: verdict)
  }
}
