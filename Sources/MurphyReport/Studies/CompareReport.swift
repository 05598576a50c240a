import MurphyJudge
import MurphyModel

/// The result of `murphy compare`: whether the candidate is slower, by how much, and the smallest detectable change.
package struct CompareReport: Sendable {
  let result: CompareResult

  package init(_ result: CompareResult) { self.result = result }

  package var document: ReportDocument {
    ReportDocument(
      title: "\(result.verdict.word) · \(result.scenario) · comparison", verdict: result.verdict,
      kicker: "comparison\(result.base.machine.map { " · " + $0 } ?? "")", name: result.scenario, deed: "compared",
      setting: Phrase(design ?? ""), answer: Phrase(answer), reasons: result.reasons.map { Phrase($0) },
      next: [("Base", result.base.phrase), ("Candidate", result.candidate.phrase)], tiles: tiles, sections: sections,
      footer: "murphy compare · \(result.format)")
  }

  private var sections: [ReportDocument.Section] {
    let tables = CompareTables(result: result)
    return [
      .init("change", "Change") { ChangeCharts(result: result).blocks },
      .init("numbers", "Numbers") { tables.operations },
      .init("deciding", "Numbers", in: [.summary]) {
        let table = tables.deciding
        if !table.rows.isEmpty { Block.table(table, most: 100) }
      },
      .init("rows", "Numbers", in: [.terminal]) { tables.terminal },
      .init("spans", "Spans of the targets", in: [.page, .summary, .terminal]) { tables.spans },
      .init("groups", result.mode == .live ? "Group by group" : "Run by run") { GroupCharts(result: result).blocks },
      .init("distribution", "Distribution") { CompareCurves(result: result).blocks },
      .init("findings", "Findings", in: [.page, .summary, .terminal]) { tables.findings },
      .init("coverage", "Coverage and limits", in: [.page, .summary, .terminal]) { tables.beside },
      .init("design", "Measurement method") { method },
      .init("words", "Terms") { Block.facts(CompareWords.terms) },
    ]
  }

  /// The procedure for the groups, in a sentence.
  private var design: String? {
    result.design.map { design in
      "\(counted(design.groups.count, "group")) of \(counted(2 * (design.groups.first?.blocks.count ?? 0), "slice")) "
        + "of \(Figure.time(design.slice).text), "
        + "\(design.restarts ? "both targets restarted for each group" : "targets not restarted"); seed of the order "
        + "\(design.coins), seed of the sessions \(design.seed), \(Figure.time(design.duration).text) in total"
    }
  }

  private var tiles: [ReportDocument.Tile] {
    let requests: [ReportDocument.Tile] = [
      .init("requests, base", .count(result.base.requests)),
      .init("requests, candidate", .count(result.candidate.requests)),
    ]
    let runs: [ReportDocument.Tile] =
      result.design.map {
        [.init("groups", .count($0.groups.count)), .init("time", Figure.time($0.duration).text)]
      } ?? [
        .init("runs, base", .count(result.base.sources.count)),
        .init("runs, candidate", .count(result.candidate.sources.count)),
      ]
    return requests + runs + [.init("findings, new", .count(result.findings.new.count))]
  }

  private var answer: String {
    switch result.verdict {
    case .pass:
      "The candidate is not slower. The comparison ruled out a slowdown above the margin for all compared metrics."
    case .fail:
      result.operations.contains { $0.rows.contains { $0.verdict == .fail } }
        ? "The candidate is worse than the base." : "The candidate has new findings."
    case .noData: "No data: the comparison neither proved a slowdown nor ruled out a slowdown above the margin."
    case .invalid, .shard: "No verdict on the candidate: the measurement is not valid."
    }
  }
}

extension CompareRow {
  /// The style of a row's verdict, and of a row without one.
  var style: String {
    switch verdict {
    case .fail: "broken"
    case .pass: "kept"
    case .noData, .notTested: "none"
    case nil: "shown"
    }
  }
}

extension CompareReport {
  /// The procedure of a live comparison: its looks, and the coins with which p can be recomputed.
  @BlockBuilder private var method: [Block] {
    if let design = result.design {
      Block.lead(
        "Murphy loaded the two targets alternately, in random order"
          + (design.restarts ? ", and restarted them for each group" : ", and did not restart them")
          + ". The JSON file has the order and the differences of the groups, from which you can compute all p-values.")
      Block.facts([
        ("seed of the order (--coins)", String(design.coins)), ("seed of the sessions (--seed)", String(design.seed)),
        ("slice", Figure.time(design.slice).text),
        ("settling time, not counted", Figure.time(design.settling).text),
        ("slices per group", String(2 * (design.groups.first?.blocks.count ?? 0))),
        ("targets", design.restarts ? "restarted for each group" : "not restarted"),
      ])
      if !design.looks.isEmpty {
        Block.heading("Interim evaluations")
        ReportTable(
          "Interim evaluations",
          [.number("after groups"), .number("fails at p up to"), .number("passes at p up to"), .text("decided")],
          design.looks.map { look in
            [.text(String(look.groups))] + [look.alarm, look.pass].map { .text(Figure.percent($0, 3).text) }
              + [.text(look.verdict.word)]
          })
      }
      Block.fold(
        "Order of \(counted(design.groups.count, "group"))", style: "",
        [.code(design.groups.enumerated().map(Self.line).joined(separator: "\n"))])
    }
  }

  private static func line(_ number: Int, _ coins: GroupCoins) -> String {
    let blocks = coins.blocks.map { $0 == .base ? "base candidate" : "candidate base" }.joined(separator: " | ")
    return "\(number + 1): \(coins.startedFirst.rawValue) started first; \(blocks)"
  }
}

/// The terms of a comparison, as in docs/glossary.md.
enum CompareWords {
  static let terms: [(String, String)] = [
    (
      "change",
      "how much worse the candidate is, as a ratio minus one (percentiles, rates) or a difference in points (shares); "
        + "a negative change means that the candidate is better"
    ),
    ("90% interval", "the 90% confidence interval: all changes that the test does not refute, with 5% on each side"),
    (
      "p",
      "the probability that two copies of one program differ at least that much by chance, in any compared row"
    ),
    ("detectable", "the smallest slowdown that this comparison detects with 95% probability"),
    ("margin", "the slowdown that the comparison must rule out for a PASS"),
    ("floor", "the smallest slowdown that can fail; the comparison ignores smaller slowdowns, even if they are real"),
    (
      "group",
      "a sequence of slices in which murphy loads the two targets alternately, after a restart of both if restarts are "
        + "possible; the test uses one difference per group"
    ),
  ]
}

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
        .number("90% interval", spare: 1), .number("p", spare: 0), .number("detectable", spare: late + 2),
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
    let kinds = [
      ("new in the candidate", changes.new), ("only in the base", changes.gone), ("still present", changes.still),
    ]
    .filter { !$0.1.isEmpty }
    if kinds.isEmpty, !result.operations.isEmpty { Block.text("No findings in base or candidate.") }
    for (index, (title, list)) in kinds.enumerated() {
      let isNew = index == 0 && !changes.new.isEmpty
      Block.heading("Findings \(title): \(list.count)")
      Block.list(list.map { item($0, isNew: isNew) }, most: Self.linesShown)
    }
  }

  private func item(_ change: FindingChange, isNew: Bool) -> Block.Item {
    let doubt = isNew && change.severity == .error && !change.isCertain ? "possibly new by chance" : ""
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
  /// `votes: 30 per 60 s → none`
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
