import MurphyCompare
import MurphyModel

/// The numbers of a comparison, and what changed beside them.
struct CompareTables {
  let result: CompareResult

  private static let linesShown = 40

  /// A table for each operation.
  @MarkupBuilder var operations: Markup {
    for operation in result.operations {
      element(.h3, text: operation.operation)
      table("\(operation.operation): base and candidate", operation.rows.map(cells)).markup
    }
  }

  /// All operations in one table, a heading for each.
  var terminal: ReportTable {
    table(
      "",
      result.operations.flatMap { operation in
        [[.text(operation.operation)]]
          + operation.rows.map { row in
            var cells = cells(row)
            cells[0].text = "  " + cells[0].text
            return cells
          }
      })
  }

  /// The rows that decide, in one table.
  var deciding: ReportTable {
    let rows = result.operations.flatMap { operation in
      operation.rows.filter(\.decides).map { [.text(operation.operation)] + cells($0) }
    }
    let columns = [.text("operation")] + table("", []).columns
    return ReportTable("", columns, rows).picking(columns.map(\.title).filter { $0 != "p" })
  }

  private func table(_ caption: String, _ rows: [[ReportTable.Cell]]) -> ReportTable {
    let late = ReportTable.Column.late
    return ReportTable(
      caption,
      [
        .text("metric"), .number("base", spare: late), .number("candidate", spare: late + 1), .number("change"),
        .number("90 % interval", spare: 1), .number("p", spare: 0), .number("could see", spare: late + 2),
        .text("verdict"),
      ], rows, style: "compared")
  }

  private func cells(_ row: CompareRow) -> [ReportTable.Cell] {
    let title = row.metric.title
    let name = ReportTable.Cell(title, markup: element(.span, .class(row.decides ? "name" : ""), text: title))
    if let gap = row.gap {
      let untested = ReportTable.Cell(
        "not tested", lines: [gap], markup: element(.span, .class("none"), text: "not tested: \(gap)"))
      return [name, "", "", "", "", "", "", row.decides ? untested : "–"]
    }
    return [
      name, .text(row.base.map(row.metric.valueText) ?? ""), .text(row.candidate.map(row.metric.valueText) ?? ""),
      .text(row.change.map(row.text) ?? ""), .text(row.intervalText ?? ""), .text(row.pText),
      .text(row.smallestEffect.map(row.text) ?? ""), .init(row.word, markup: badge(row)),
    ]
  }

  private func badge(_ row: CompareRow) -> Markup {
    switch row.verdict {
    case .fail: Badge.of(.failed, row.word)
    case .pass: Badge.of(.passed, row.word)
    case .noData: Badge.of(.noData, row.word)
    case .notTested: Badge.of(.notTested)
    case nil: element(.small, text: "shown only")
    }
  }

  @MarkupBuilder var findings: Markup {
    let changes = result.findings
    let kinds = [("New in the candidate", changes.new), ("Gone", changes.gone), ("Still there", changes.still)]
    if kinds.contains(where: { !$0.1.isEmpty }) {
      for (title, list) in kinds where !list.isEmpty {
        element(.h3, text: "\(title): \(list.count)")
        element(.ul, .class("plain")) {
          for change in list.prefix(Self.linesShown) {
            element(.li) {
              Badge.of(change.severity)
              " \(change.sentence)"
              if change.severity == .error, list.count == changes.new.count, !change.isCertain,
                changes.new.contains(where: { $0.fingerprint == change.fingerprint })
              {
                element(.small, text: " so rare that chance may be why")
              }
              if let command = change.reproduction { element(.pre, text: command.text) }
            }
          }
        }
        cut(list.count - Self.linesShown) { "and \($0) more" }
      }
    } else if !result.operations.isEmpty {
      element(.p, text: "None in either arm.")
    }
  }

  @MarkupBuilder var beside: Markup {
    let lost = result.coverageLost
    if !lost.isEmpty {
      element(.h3, text: "Seen in the base, and not in the candidate: \(lost.count)")
      list(lost.prefix(Self.linesShown).map(\.lossText))
      cut(lost.count - Self.linesShown) { "and \($0) more" }
    }
    if !result.limitsChanged.isEmpty {
      element(.h3, text: "Limits that changed")
      list(result.limitsChanged.map(\.text))
    }
  }
}

extension CoverageItem {
  /// `getLaw status 404 (12 times in the base)`
  var lossText: String { "\(operation) \(kind) \(name) (\(counted(count, "time")) in the base)" }
}

extension LimitChange {
  /// `votes: 30 per 60s → none`
  var text: String { "\(name): \(base ?? "none") → \(candidate ?? "none")" }
}

extension CompareSide {
  /// The first of its sources.
  var shown: String {
    let more = sources.count - 3
    return sources.prefix(3).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
