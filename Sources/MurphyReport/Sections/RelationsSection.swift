import MurphyModel

/// Whether answers fit what was asked for, and each other: a table for each operation.
struct RelationsSection: ReportSection {
  static let id = "relations"
  static let title = "Requests and their answers"
  static let entry = "Relations"

  let result: RunResult

  var content: Markup? {
    let operations = result.relationsByOperation
    guard !operations.isEmpty else { return nil }
    let reasons = reasons(operations.flatMap(\.rows))
    let own = result.relationRequests.map { " Murphy asked \(counted($0, "time")) more after the load." } ?? ""
    return .group([
      lead(
        "What must hold between a request and its answer, read off the contract's shapes. What nothing of this run could "
          + "have broken is not tested." + own),
      .group(operations.map { fold($0.operation, $0.rows, reasons) }),
    ])
  }

  /// By operation and relation: what was said before is not said again.
  private func reasons(_ rows: [RelationRow]) -> [String: String] {
    var first: [String: String] = [:]
    var reasons: [String: String] = [:]
    for row in rows {
      let name = "\(row.operation) \(row.relation)"
      if let other = first[row.reason] {
        reasons[name] = "as for \(other)"
      } else {
        first[row.reason] = name
        reasons[name] = row.reason
      }
    }
    return reasons
  }

  private func fold(_ operation: String, _ rows: [RelationRow], _ reasons: [String: String]) -> Markup {
    let broken = rows.count { $0.outcome == .broken }
    let tested = rows.count { $0.outcome == .kept } + broken
    return element(.details, .class("fold")) {
      element(
        .summary,
        text: "\(operation): \(tested) of \(rows.count) tested" + (broken > 0 ? ", \(broken) failed" : ""))
      table(operation, rows, reasons)
    }
  }

  private func table(_ operation: String, _ rows: [RelationRow], _ reasons: [String: String]) -> Markup {
    ReportTable(
      "Relations of \(operation)", [.text("relation"), .text("outcome"), .number("trials"), .text("why")],
      rows.map { row in
        [
          .init(
            "", markup: .group([element(.code, text: row.relation), .text(" "), element(.small, text: row.promise)])),
          .init("", markup: Badge.of(row.outcome == .untested ? .notRequired : Check.State(row.state))),
          .count(row.samples),
          .text(reasons["\(row.operation) \(row.relation)"] ?? row.reason),
        ]
      }
    ).markup
  }
}
