import MurphyModel

/// A row per budget: what was allowed, what was seen, and how much of it was used.
struct BudgetsSection: ReportSection {
  static let id = "budgets"
  static let title = "Budgets"

  let result: RunResult

  var content: Markup? {
    guard !result.budgets.isEmpty else { return nil }
    return Table(
      caption: "Budgets with their limits and what was observed",
      columns: [
        .text("budget"), .number("limit"), .number("observed"), .text("of the limit"), .number("samples"), .text(""),
      ], rows: result.budgets.map(row), style: "budgets"
    ).markup
  }

  private func row(_ budget: BudgetRow) -> [Markup] {
    [
      .group([
        element(.span, .class("name"), text: budget.subject), .text(" "), element(.span, text: budget.metric),
      ]),
      .text("\(budget.isFloor ? "≥" : "≤") \(budget.limit)"), .text(budget.observedText ?? "–"), bar(budget),
      .group([
        .text(Figure.count(budget.samples).text),
        budget.samples < budget.samplesNeeded
          ? element(.small, text: "\(Figure.count(budget.samplesNeeded).text) needed") : .nothing,
        budget.interval != nil && (budget.unanswered ?? 0) > 0
          ? element(.small, text: "\(Figure.count(budget.unanswered ?? 0).text) without an answer") : .nothing,
      ]),
      Badge.of(budget.outcome),
    ]
  }

  /// Full at twice the limit; the mark in the middle is the limit.
  private func bar(_ budget: BudgetRow) -> Markup {
    guard let used = budget.utilisation else { return .text("–") }
    return .group([
      element(.span, .class("gauge \(Badge.style(budget.outcome))"), .decorative) {
        element(.i, .width(percent: used > 0 ? max(used * 50, 1) : 0))
      },
      element(
        .small, text: used > 10 ? "over 10 times" : Figure(Figure.decimals(used * 100, used < 0.1 ? 1 : 0), "%").text),
    ])
  }
}
