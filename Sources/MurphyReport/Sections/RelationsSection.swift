import MurphyModel

/// Whether answers fit what was asked for, and each other: a table for each operation.
struct RelationsSection: ReportSection {
  static let id = "relations"
  static let title = "Requests and their answers"
  static let entry = "Relations"

  let result: RunResult

  var content: Markup? {
    let rows = (result.relations ?? []).filter { $0.outcome != .off }
    guard !rows.isEmpty else { return nil }
    var operations: [String] = []
    for row in rows where !operations.contains(row.operation) { operations.append(row.operation) }
    let own = result.relationRequests.map { " Murphy asked \(counted($0, "time")) more after the load." } ?? ""
    return .group([
      lead(
        "What must hold between a request and its answer, read off the contract's shapes. What nothing of this run could "
          + "have broken is not tested." + own),
      .group(operations.map { operation in fold(operation, rows.filter { $0.operation == operation }) }),
    ])
  }

  private func fold(_ operation: String, _ rows: [RelationRow]) -> Markup {
    let broken = rows.count { $0.outcome == .broken }
    let tested = rows.count { $0.outcome == .kept } + broken
    return element(.details, .class("fold")) {
      element(
        .summary,
        text: "\(operation): \(tested) of \(rows.count) tested" + (broken > 0 ? ", \(broken) broken" : ""))
      table(operation, rows)
    }
  }

  private func table(_ operation: String, _ rows: [RelationRow]) -> Markup {
    Table(
      caption: "Relations of \(operation)",
      columns: [.text("relation"), .text("outcome"), .number("answers"), .text("why")],
      rows: rows.map { row in
        [
          .group([element(.code, text: row.relation), .text(" "), element(.small, text: row.promise)]),
          Badge.of(row.state), .text(Figure.count(row.samples).text), .text(row.reason),
        ]
      }
    ).markup
  }
}
