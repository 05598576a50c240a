import MurphyModel

/// How much of a budget was used: full at twice the limit, and the mark in the middle is the limit.
struct BudgetGauge {
  let budget: BudgetRow

  var markup: Markup {
    guard let used = budget.utilisation else { return .nothing }
    return .group([
      element(.span, .class("gauge budget \(Badge.style(budget.outcome))"), .decorative) {
        element(.i, .width(percent: used > 0 ? max(used * 50, 1) : 0))
      },
      element(
        .small,
        text: used > 10
          ? "over 10 times the limit"
          : Figure(Figure.decimals(used * 100, used < 0.1 ? 1 : 0), "%").text + " of the limit"),
    ])
  }
}
