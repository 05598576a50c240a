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
      "\(counted(design.groups.count, "group")) of \(counted(2 * (design.groups.first?.blocks.count ?? 0), "slice")) of "
        + "\(Figure.seconds(design.slice).text), "
        + "\(design.restarts ? "both targets restarted for each" : "targets not restarted"); coins "
        + "\(design.coins), seed \(design.seed), \(Figure.seconds(design.duration).text) in all"
    }
  }

  private var tiles: [ReportDocument.Tile] {
    let requests: [ReportDocument.Tile] = [
      .init("requests, base", .count(result.base.requests)),
      .init("requests, candidate", .count(result.candidate.requests)),
    ]
    let runs: [ReportDocument.Tile] =
      result.design.map {
        [.init("groups", .count($0.groups.count)), .init("time", Figure.seconds($0.duration).text)]
      } ?? [
        .init("runs, base", .count(result.base.sources.count)),
        .init("runs, candidate", .count(result.candidate.sources.count)),
      ]
    return requests + runs + [.init("findings, new", .count(result.findings.new.count))]
  }

  private var answer: String {
    switch result.verdict {
    case .pass: "The candidate is not slower: a slowdown above the margin is ruled out for all compared metrics."
    case .fail:
      result.operations.contains { $0.rows.contains { $0.verdict == .fail } }
        ? "The candidate is worse than the base." : "The candidate has new findings."
    case .noData: "No data: no slowdown was detected, but one above the margin was not ruled out."
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
        "The targets were loaded in turns, in random order"
          + (design.restarts ? ", and restarted for each group" : "; they were not restarted")
          + ". All p-values can be computed from the order and the differences of the groups in the JSON file.")
      Block.facts([
        ("seed of the order (--coins)", String(design.coins)), ("seed of the sessions (--seed)", String(design.seed)),
        ("slice", Figure.seconds(design.slice).text),
        ("settling time, not counted", Figure.seconds(design.settling).text),
        ("slices per group", String(2 * (design.groups.first?.blocks.count ?? 0))),
        ("targets", design.restarts ? "restarted for each group" : "not restarted"),
      ])
      if !design.looks.isEmpty {
        Block.heading("Looks")
        ReportTable(
          "Interim evaluations",
          [.number("after groups"), .number("fails at p up to"), .number("passes at p up to"), .text("decided")],
          design.looks.map { look in
            [.text(String(look.groups))] + [look.alarm, look.pass].map { .text(Figure.decimals($0 * 100, 3) + "%") }
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
      "how much worse the candidate is; for percentiles and rates a ratio minus one, for shares a difference in points; negative if it is better"
    ),
    ("90 % interval", "all changes that the test does not refute, 5 % on each side"),
    (
      "p",
      "the probability that two copies of one program differ by chance that much in any compared row"
    ),
    ("detectable", "the smallest slowdown that this comparison detects with 95 % probability"),
    ("margin", "the slowdown that must be ruled out for a PASS"),
    ("floor", "the smallest slowdown that fails; smaller differences are ignored, even if they are real"),
    ("group", "both targets are restarted, then loaded in turns (slices); the test uses one difference per group"),
  ]
}
