import MurphyModel

extension BudgetJudge {
  /// A finding for every broken budget: `budget.latency`, `budget.errors` or `budget.throughput`.
  public static func findings(_ rows: [BudgetRow]) -> [Finding] {
    rows.filter { $0.verdict == .fail }.map(finding)
  }

  static func finding(_ row: BudgetRow) -> Finding {
    Finding(
      kind: row.metric.finding, operation: row.operation == "*" ? nil : row.operation, message: row.finding,
      details: row.basis, discriminator: "\(row.metric.name) \(row.limit.text)")
  }
}

extension Budget.Metric {
  fileprivate var finding: FindingKind {
    switch self {
    case .errors: .budgetErrors
    case .throughput: .budgetThroughput
    case .latency, .service, .meanLatency, .maxLatency, .meanService, .maxService: .budgetLatency
    }
  }
}

extension BudgetRow {
  /// On what the verdict rests.
  fileprivate var basis: [String] {
    var lines = ["Decided on \(samples) samples."]
    if let unanswered, unanswered > 0 {
      lines.append("\(unanswered) of them got no answer and count with the time that they waited.")
    }
    if let patient {
      lines.append("Decided over the \(patient) that the person let wait for longer than \(limit.text).")
    }
    return lines
  }

  /// `p95 is 400ms, over the budget of 300ms`, which the report says of the operation.
  private var statement: String {
    let verb = metric == .errors ? "are" : "is"
    return "\(metric.name) \(verb) \(observedText ?? "unknown"), \(isFloor ? "below" : "over") the budget of "
      + limit.text
  }

  /// The message of its finding.
  fileprivate var finding: String { operation == "*" ? "all operations: \(statement)" : statement }

  /// `listLaws: p95 is 400ms, over the budget of 300ms.`
  var sentence: String { "\(operation == "*" ? "all operations" : operation): \(statement)." }
}
