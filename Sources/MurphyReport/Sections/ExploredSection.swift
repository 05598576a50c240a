import MurphyModel

/// What an exploration tried of each operation, and what it did not.
struct ExploredSection: ReportSection {
  static let id = "explored"
  static let title = "What was tried"
  static let entry = "Tried"

  let result: RunResult

  var content: Markup? {
    guard let explored = result.explored else { return nil }
    return .group([
      lead(
        "Each constraint of the contract at its edge (positive) and just beyond it (negative), calls by others (auth), the "
          + "life of each thing (state), and several trials at once (pairs, random). Plain is the status of the plainest "
          + "request; where that did not succeed, rejections prove little."),
      Table(
        caption: "Cases by operation",
        columns: explored.columns.enumerated().map { index, title in
          index == 0 || title == "statuses" ? .text(title) : .number(title)
        },
        rows: explored.operations.map { row in
          [element(.code, text: row.operation)] + explored.cells(row).map { .text($0) }
        }
      ).markup,
      .group(explored.notes.map { element(.p, text: $0) }),
    ])
  }
}
