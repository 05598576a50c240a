import MurphyModel

/// A row per invariant over sessions.
struct StateSection: ReportSection {
  static let id = "state"
  static let title = "State"

  let result: RunResult

  var content: Markup? {
    guard !result.state.isEmpty else { return nil }
    return .group([
      lead("Promises that no single answer can break: what was accepted is counted, and nothing goes back in time."),
      Table(
        caption: "Invariants over all sessions",
        columns: [.text("invariant"), .text("what was seen"), .number("samples"), .text("")],
        rows: result.state.map { row in
          [
            element(.span, .class("name"), text: row.name), .text(row.sentence), .text(Figure.count(row.samples).text),
            Badge.of(Promise.Outcome(row.verdict)),
          ]
        }
      ).markup,
    ])
  }
}
