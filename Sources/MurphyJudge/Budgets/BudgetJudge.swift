import MurphyModel

/// Holds what was measured against the budgets.
///
/// A row is broken when every way to complete what was not seen breaks it, kept when every way keeps it and the
/// samples can carry the claim (`PercentileRule`), else without data, with the reason in words. Requests that got no
/// answer count with at least the time they waited.
public enum BudgetJudge {
  /// One row for each budget, in their order. An operation that the record does not know has no samples.
  public static func judge(_ budgets: [Budget], record: RunRecord) -> [BudgetRow] {
    let total = record.operations.reduce(into: OperationRecord(operation: "*", method: "", path: "")) { total, one in
      total.merge(one)
    }
    return budgets.map { budget in
      let measured =
        budget.operation == "*"
        ? total
        : record.operations.first { $0.operation == budget.operation }
          ?? OperationRecord(operation: budget.operation, method: "", path: "")
      var row = row(budget, measured, elapsed: record.info.duration)
      if row.verdict == .fail { row.findings = [finding(row).fingerprint] }
      return row
    }
  }

  /// The fewest samples that can carry a verdict on the budget.
  public static func samplesNeeded(for budget: Budget) -> Int {
    budget.metric.percentile.map { PercentileRule(percentile: $0).samplesNeeded } ?? 1
  }

  private static func row(_ budget: Budget, _ measured: OperationRecord, elapsed: Double) -> BudgetRow {
    switch (budget.metric, budget.limit) {
    case (.latency, .atMost(let limit)), (.service, .atMost(let limit)), (.maxLatency, .atMost(let limit)),
      (.maxService, .atMost(let limit)):
      percentileRow(budget, measured.account, limit)
    case (.meanLatency, .atMost(let limit)), (.meanService, .atMost(let limit)):
      meanRow(budget, measured.account, limit)
    case (.errors, .share(let limit)): errorsRow(budget, measured, limit)
    case (.throughput, .atLeast(let limit)): throughputRow(budget, measured.outcomes, limit, elapsed)
    default: BudgetRow(budget, samples: 0, verdict: .noData)
    }
  }

  /// Answers alone count: what was not answered is no throughput.
  private static func throughputRow(
    _ budget: Budget, _ outcomes: Outcomes, _ limit: Rate, _ elapsed: Double
  ) -> BudgetRow {
    guard outcomes.answered > 0, elapsed > 0 else { return .unmeasured(budget) }
    let observed = Rate(perSecond: Double(outcomes.answered) / elapsed)
    return BudgetRow(
      budget, observed: MeasuredRange(observed.perSecond, .perSecond), samples: outcomes.answered,
      verdict: observed < limit ? .fail : .pass)
  }
}

extension BudgetRow {
  init(_ budget: Budget, observed: MeasuredRange? = nil, samples: Int, needed: Int = 1, verdict: RowVerdict) {
    self.init(
      operation: budget.operation, metric: budget.metric, limit: budget.limit.measure, observed: observed,
      samples: samples, samplesNeeded: needed, verdict: verdict)
  }

  static func unmeasured(_ budget: Budget, needed: Int = 1) -> BudgetRow {
    var row = BudgetRow(budget, samples: 0, needed: needed, verdict: .noData)
    row.undecided = Undecided(
      .nothingMeasured, "nothing was measured, so the budget of \(budget.limit.text) was not tested")
    return row
  }
}
