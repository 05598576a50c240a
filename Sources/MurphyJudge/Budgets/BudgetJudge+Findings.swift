import MurphyModel

extension BudgetJudge {
  /// A finding for every broken budget: `budget.latency`, `budget.errors` or `budget.throughput`.
  public static func findings(_ rows: [BudgetRow]) -> [Finding] {
    rows.filter { $0.verdict == .fail }.map { row in
      Finding(
        kind: "budget.\(row.subject)", severity: .error, operation: row.operation == "*" ? nil : row.operation,
        message: row.finding, details: row.basis,
        discriminator: "\(row.metric) \(row.limit)")
    }
  }
}

extension BudgetRow {
  fileprivate var subject: String {
    [Budget.Metric.errors.name, Budget.Metric.throughput.name].contains(metric) ? metric : "latency"
  }

  /// On what the verdict rests.
  fileprivate var basis: [String] {
    var lines = ["Decided on \(samples) samples."]
    if let unanswered, unanswered > 0 {
      lines.append("\(unanswered) of them got no answer and count with the time that they waited.")
    }
    if let patient { lines.append("Decided over the \(patient) that the person let wait for longer than \(limit).") }
    return lines
  }

  /// `p95 is 400ms, over the budget of 300ms`, which the report says of the operation.
  private var statement: String {
    let side = metric == Budget.Metric.throughput.name ? "below" : "over"
    let verb = metric == Budget.Metric.errors.name ? "are" : "is"
    return "\(metric) \(verb) \(observed ?? "unknown"), \(side) the budget of \(limit)"
  }

  /// The message of its finding.
  fileprivate var finding: String { operation == "*" ? "all operations: \(statement)" : statement }

  /// `listLaws: p95 is 400ms, over the budget of 300ms.`
  var sentence: String { "\(operation == "*" ? "all operations" : operation): \(statement)." }
}
