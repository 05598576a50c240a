import MurphyJudge
import MurphyModel

/// The numbers of a comparison, and other changes.
struct CompareTables {
  let result: CompareResult

  private static let linesShown = 40

  /// A table for each operation.
  @BlockBuilder var operations: [Block] {
    for operation in result.operations {
      Block.heading(operation.operation)
      table("\(operation.operation): base and candidate", operation.rows.map(cells))
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
        .number("90 % interval", spare: 1), .number("p", spare: 0), .number("detectable", spare: late + 2),
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
    case nil: element(.small, text: "informational only")
    }
  }

  @BlockBuilder var findings: [Block] {
    let changes = result.findings
    let kinds = [("new in the candidate", changes.new), ("gone", changes.gone), ("still present", changes.still)]
      .filter { !$0.1.isEmpty }
    if kinds.isEmpty, !result.operations.isEmpty { Block.text("No findings in base or candidate.") }
    for (index, (title, list)) in kinds.enumerated() {
      let isNew = index == 0 && !changes.new.isEmpty
      Block.heading("Findings \(title): \(list.count)")
      Block.list(list.map { item($0, isNew: isNew) }, most: Self.linesShown)
    }
  }

  private func item(_ change: FindingChange, isNew: Bool) -> Block.Item {
    let doubt = isNew && change.severity == .error && !change.isCertain ? "possibly by chance" : ""
    let markup = Markup.group([
      Badge.of(change.severity), .text(" \(change.sentence)"),
      doubt.isEmpty ? .nothing : element(.small, text: " \(doubt)"),
    ])
    let text = "\(change.severity.rawValue): \(change.sentence)" + (doubt.isEmpty ? "" : ", \(doubt)")
    return Block.Item(
      words: Phrase(text, markup: markup),
      command: change.reproduction?.text)
  }

  @BlockBuilder var beside: [Block] {
    let lost = result.coverageLost
    if !lost.isEmpty {
      Block.heading("Covered in the base, but not in the candidate: \(lost.count)")
      Block.lines(lost.map(\.lossText), most: Self.linesShown)
    }
    if !result.limitsChanged.isEmpty {
      Block.heading("Limits that changed")
      Block.lines(result.limitsChanged.map(\.text))
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
  /// The first of its sources; in words also its amount.
  var phrase: Phrase {
    let more = sources.count - 3
    let shown = sources.prefix(3).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    let sent = "\(counted(requests, "request")), \(counted(sessions, "session"))"
    return Phrase("\(shown) (\(sent))", markup: .text(shown))
  }
}
