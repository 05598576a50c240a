import MurphyModel

/// The invariants over sessions, with what they were judged by.
struct StateSection: ReportSection {
  static let id = "state"
  static let title = "State"

  let result: RunResult

  var content: Markup? {
    let rows = result.state.filter { $0.test != nil }
    guard !rows.isEmpty else { return nil }
    return .group([
      lead(
        "Decided from this client's log alone. An answer is sharp when a wrong server could have failed it; a write "
          + "without an answer widens what is possible."),
      .group(rows.map(article)),
    ])
  }

  private func article(_ row: StateRow) -> Markup {
    element(.article) {
      element(.h3, text: "\(row.kind ?? "invariant") \(row.name)")
      element(.p, text: row.sentence)
      if let test = row.test {
        MurphyReport.facts(facts(test))
      }
    }
  }

  private func facts(_ test: StateTest) -> [(String, String)] {
    var facts = [
      ("keys", "\(Figure.count(test.keys).text), \(Figure.count(test.tested).text) tested"),
      ("writes", Figure.count(test.writes).text),
      ("answers", "\(Figure.count(test.reads).text), \(Figure.count(test.sharp).text) sharp"),
    ]
    if test.sharp > 0 { facts.append(("values let pass", Figure.digits(test.slack + 1))) }
    for reason in test.inconclusive {
      facts.append(("not decided", "\(counted(reason.count, "key")): \(reason.reason)"))
    }
    if test.ownRequests > 0 { facts.append(("read by murphy", counted(test.ownRequests, "request"))) }
    return facts
  }
}
