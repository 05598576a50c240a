import MurphyModel

/// What an exploration tried of each operation, and what it did not.
struct ExploredSection: ReportSection {
  static let id = "explored"
  static let title = "What was tried"
  static let entry = "Tried"

  let result: RunResult

  private static let categories = ["positive", "negative", "auth", "state", "pairs", "random"]

  var content: Markup? {
    guard let explored = result.explored else { return nil }
    let used = Self.categories.filter { name in explored.operations.contains { $0.cases[name, default: 0] > 0 } }
    let notes =
      explored.untried
      + (explored.unrepeated > 0
        ? ["\(counted(explored.unrepeated, "suspicion")) did not come again when repeated, and count for nothing."]
        : [])
    return .group([
      lead(
        "Each constraint of the contract at its edge (positive) and just beyond it (negative), calls by others (auth), the "
          + "life of each thing (state), and several trials at once (pairs, random). Plain is the status of the plainest "
          + "request; where that is no success, refusals say little."),
      Table(
        caption: "Cases by operation",
        columns: [.text("operation"), .number("plain")] + used.map { .number($0) } + [
          .number("constraints"), .text("statuses"),
        ],
        rows: explored.operations.map { row in
          [element(.code, text: row.operation), .text(row.status == 0 ? "–" : String(row.status))]
            + used.map { .text(Figure.count(row.cases[$0, default: 0]).text) }
            + [
              .text("\(row.constraints.done) of \(row.constraints.of)"),
              .text(row.statuses.map(String.init).joined(separator: " ")),
            ]
        }
      ).markup,
      .group(notes.map { element(.p, text: $0) }),
    ])
  }
}
