import MurphyModel

extension BudgetJudge {
  /// Lateness at which murphy's own delays may decide a budget.
  private static let notable = Duration.milliseconds(5)

  /// The failed latency budgets that murphy's own lateness may have broken: it was notable, and the same budget on
  /// service times, which lateness does not touch, is kept.
  public static func owedToLateness(_ rows: [BudgetRow], of budgets: [Budget], record: RunRecord) -> [BudgetRow] {
    guard record.generator.lateness.p99 * 1000 > Double(notable.nanoseconds) else { return [] }
    let onService = judge(budgets.map(\.onService), record: record)
    return zip(rows, onService).filter { $0.verdict == .fail && $1.verdict != .fail }.map { $0.0 }
  }
}

extension Budget {
  /// The same promise of service times; others than latency stay as they are.
  fileprivate var onService: Budget {
    var budget = self
    switch metric {
    case .latency(let percentile): budget.metric = .service(percentile: percentile)
    case .meanLatency: budget.metric = .meanService
    case .maxLatency: budget.metric = .maxService
    default: break
    }
    return budget
  }
}
