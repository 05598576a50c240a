import MurphyModel

/// How an operation's requests ended, as a bar and in words.
struct OutcomeBar {
  let outcomes: Outcomes

  private var parts: [(name: String, style: String, count: Int)] {
    [
      ("ok", "ok", outcomes.ok), ("limited", "limited", outcomes.limited),
      ("client error", "client", outcomes.clientError), ("server error", "server", outcomes.serverError),
      ("lost", "lost", outcomes.transport), ("cancelled", "cancelled", outcomes.cancelled),
    ].filter { $0.2 > 0 }
  }

  var markup: Markup {
    let total = parts.reduce(0) { $0 + $1.count }
    guard total > 0 else { return .text("–") }
    return .group([
      element(.span, .class("outcomes"), .decorative) {
        for part in parts {
          element(.i, .class(part.style), .width(percent: max(Double(part.count) * 100 / Double(total), 0.8)))
        }
      },
      element(.small, text: words(total)),
    ])
  }

  /// `99.2% ok, 31 limited`
  private func words(_ total: Int) -> String {
    let others = parts.filter { $0.name != "ok" }.map { "\(Figure.count($0.count).text) \($0.name)" }
    return ([Figure.percent(outcomes.ok, of: total).text + " ok"] + others).joined(separator: ", ")
  }
}
