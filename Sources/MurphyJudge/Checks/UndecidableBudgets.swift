import MurphyModel
import MurphyScenario

/// Budgets that the plan brings too few requests for, as far as answers do not decide how many there are.
package enum UndecidableBudgets {
  /// - Parameter text: the scenario file's, for the line that a warning shows.
  package static func warnings(_ scenario: Scenario, text: String) -> [Diagnostic] {
    let budgets = scenario.expectations.budgets.filter { BudgetJudge.samplesNeeded(for: $0) > 1 }
    guard !budgets.isEmpty, let demand = PlanDemand(Plan(scenario: scenario, seed: scenario.seed ?? 1)) else {
      return []
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return budgets.compactMap { budget in
      let needed = BudgetJudge.samplesNeeded(for: budget)
      guard let mark = scenario.expectations.budgetMarks[budget], let brought = demand.count(of: budget.operation),
        brought < Double(needed)
      else { return nil }
      let line = lines.indices.contains(mark.line - 1) ? String(lines[mark.line - 1]) : nil
      return Diagnostic(
        sentence(budget, needed: needed, brought: Int(saturating: brought.rounded())), at: mark,
        severity: .warning, sourceLine: line, width: budget.limit.text.count)
    }
  }

  /// `p99 of voteLaw needs 299 samples; the plan brings about 120. …`
  private static func sentence(_ budget: Budget, needed: Int, brought: Int) -> String {
    let subject = budget.operation == "*" ? "all operations" : budget.operation
    let factor = brought > 0 ? (Double(needed) / Double(brought) * 10).rounded(.up) / 10 : nil
    return "\(budget.metric.name) of \(subject) needs \(needed) samples; the plan brings about \(brought). "
      + (factor.map { "Hold the load \($0) times as long, or promise a lower percentile" }
        ?? "Let a session call it, or remove the budget")
  }
}
