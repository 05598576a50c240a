import MurphyModel

extension BudgetJudge {
  /// A finding for every broken budget: `budget.latency`, `budget.errors` or `budget.throughput`.
  public static func findings(_ rows: [BudgetRow]) -> [Finding] {
    rows.filter { $0.verdict == .fail }.map { row in
      Finding(
        kind: "budget.\(row.subject)", severity: .error, operation: row.operation == "*" ? nil : row.operation,
        message: row.sentence, details: ["Decided on \(row.samples) samples."],
        discriminator: "\(row.metric) \(row.limit)")
    }
  }
}

extension BudgetRow {
  fileprivate var subject: String {
    [Budget.Metric.errors.name, Budget.Metric.throughput.name].contains(metric) ? metric : "latency"
  }

  /// `listLaws p95 is 400ms, over the budget of 300ms.`
  var sentence: String {
    let side = metric == Budget.Metric.throughput.name ? "below" : "over"
    return "\(operation) \(metric) is \(observed ?? "unknown"), \(side) the budget of \(limit)."
  }
}
