import MurphyJudge
import MurphyModel

/// The result of `murphy compare --responses`: the differences between the responses, and what was not compared.
package struct BehaviourReport: Sendable {
  let result: BehaviourResult

  package init(_ result: BehaviourResult) { self.result = result }

  /// The maximum of differences with both exchanges.
  private static let changesShown = 200

  package var document: ReportDocument {
    ReportDocument(
      title: "\(result.verdict.word) · \(result.scenario) · responses", verdict: result.verdict,
      kicker: "comparison of responses", name: result.scenario, deed: "compared", setting: Phrase(setting),
      answer: Phrase(answer), reasons: result.changes.isEmpty ? result.reasons.map { Phrase($0) } : [],
      next: [("Base", result.base.phrase), ("Candidate", result.candidate.phrase)], tiles: tiles, sections: sections,
      footer: "murphy compare --responses · \(result.format)")
  }

  private var setting: String {
    "\(counted(result.sessions, "session")) in each of \(result.baseRuns) runs of the base and \(result.candidateRuns) of "
      + "the candidate, \(result.restarts ? "targets restarted before each run" : "targets not restarted"); seed "
      + "\(result.seed), \(Figure.time(result.duration).text) in total"
  }

  private var pairs: Int { result.operations.reduce(0) { $0 + $1.pairs } }

  private var answer: String {
    switch result.verdict {
    case .pass: "No difference: all \(counted(pairs, "pair")) of responses are equal, except for noise."
    case .fail: "The candidate differs from the base in \(counted(result.changes.count, "place"))."
    case .noData: "No data: some operations were not compared."
    case .invalid, .shard: "No verdict: the comparison is not complete."
    }
  }

  private var tiles: [ReportDocument.Tile] {
    [
      .init("differences", .count(result.changes.count)), .init("pairs compared", .count(pairs)),
      .init("operations", .count(result.operations.count)), .init("not compared", .count(result.notCompared.count)),
    ]
  }

  private var sections: [ReportDocument.Section] {
    [
      .init("differences", "Differences", in: [.page, .summary, .terminal]) {
        for (index, change) in result.changes.prefix(Self.changesShown).enumerated() { blocks(change, index + 1) }
        Block.cut(result.changes.count - Self.changesShown) { "Not shown: \(counted($0, "more difference"))." }
      },
      .init("untested", "Not tested", in: [.summary, .terminal]) {
        let gaps = result.changes.isEmpty ? [] : result.reasons.dropFirst(result.changes.count)
        if !gaps.isEmpty { Block.lines(gaps) }
      },
      .init("operations", "Operations", in: [.page, .summary, .terminal]) { operations },
      .init("noise", "Not compared", in: [.page, .summary, .terminal]) {
        if !result.notCompared.isEmpty { Block.table(noise, most: 60) }
      },
    ]
  }

  @BlockBuilder private func blocks(_ change: BehaviourChange, _ number: Int) -> [Block] {
    let finding = change.finding
    Block.finding(article(finding, number))
    element(.details, .class("evidence"), number <= 3 ? .open : Attribute("data-folded", "")) {
      element(.summary, text: "Exchanges of base and candidate")
      element(.h4, text: "Base")
      ExchangeView(
        exchange: change.base, pointer: change.basePointer, number: number, side: "base of ", place: change.place
      ).markup
      element(.h4, text: "Candidate")
      ExchangeView(
        exchange: change.candidate, pointer: change.candidatePointer, number: number, side: "candidate of ",
        place: change.place
      ).markup
    }
  }

  private func article(_ finding: Finding, _ number: Int) -> FindingArticle {
    var article = FindingArticle(finding.withoutExchange, number: number)
    article.followsSection = true
    return article
  }

  private var operations: ReportTable {
    ReportTable(
      "Operations",
      [
        .text("operation"), .number("requests", spare: 1), .number("pairs compared"), .number("successful", spare: 0),
        .note("not tested"),
      ],
      result.operations.map { row in
        let gap = row.gap.map { ["not tested: \($0)"] } ?? row.incomparable
        return [
          .name(row.operation), .count(row.requests), .count(row.pairs), .count(row.successes), .list(gap, "reason"),
        ]
      }, noun: "operation")
  }

  private var noise: ReportTable {
    ReportTable(
      "Not compared", [.text("operation"), .text("place"), .text("property"), .note("reason")],
      result.notCompared.map { row in
        [.name(row.operation), .text(row.place), .text(row.aspect.rawValue), .list([row.reason], "reason")]
      }, noun: "place")
  }
}

extension Finding {
  /// For a page that shows the exchange elsewhere.
  fileprivate var withoutExchange: Finding {
    var finding = self
    finding.evidence = nil
    return finding
  }
}
