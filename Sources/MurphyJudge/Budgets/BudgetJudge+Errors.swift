import MurphyModel

extension BudgetJudge {
  /// The share of errors among all requests that came due and were not taken back by the client.
  ///
  ///     broken   E > limit · N
  ///     kept     E + M ≤ limit · N, with N ≥ 1
  ///
  /// E are surely errors: error statuses, lost connections, timeouts, what was overdue at the end. M are perhaps:
  /// what was merely under way at the end, and what murphy did not send. One error in a small run breaks the budget,
  /// so it needs no least number of samples; how weakly a small one was tested is said beside it.
  static func errorsRow(_ budget: Budget, _ measured: OperationRecord, _ limit: Double) -> BudgetRow {
    let (due, errors, perhaps) = (measured.due, measured.errors, measured.perhapsErrors)
    guard due > 0 else { return .unmeasured(budget) }
    var row = BudgetRow(
      budget,
      observed: MeasuredRange(
        low: Double(errors) / Double(due), high: Double(errors + perhaps) / Double(due), unit: .share),
      samples: due, verdict: .noData)
    row.unanswered = due - measured.outcomes.answered
    (row.over, row.maybe) = (errors, perhaps)
    // The limit as a count, against the last bit of a binary fraction: 0.1 % of 1,000 is 1.
    let allowed = limit * Double(due) * (1 + 1e-12)
    if Double(errors) > allowed {
      row.verdict = .fail
    } else if Double(errors + perhaps) <= allowed {
      row.verdict = .pass
      row.shareAtMost = upperShare(errors + perhaps, of: due)
    } else {
      row.undecided = undecided(measured, allowed: Int(allowed), limit: budget.limit.text)
    }
    return row
  }

  private static func undecided(_ measured: OperationRecord, allowed: Int, limit: String) -> BudgetRow.Undecided {
    let unsent = measured.account.censored.unsentMurphy
    let (errors, perhaps) = (measured.errors, measured.perhapsErrors)
    if errors + perhaps - unsent <= allowed { return .late(unsentOnly: unsent) }
    return BudgetRow.Undecided(
      .unanswered,
      "\(errors) of \(measured.due) requests failed and \(perhaps) more were under way when the run ended; \(allowed) "
        + "may fail")
  }
}

extension BudgetRow.Undecided {
  fileprivate static func late(unsentOnly unsent: Int) -> Self {
    Self(
      .generator,
      "murphy did not send \(unsent) requests, and that alone decides this budget. Give murphy more cores, or less load"
    )
  }
}
