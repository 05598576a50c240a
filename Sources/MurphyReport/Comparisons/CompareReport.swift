import MurphyCompare
import MurphyModel

/// The page of `murphy compare`: is the candidate slower, by how much, and what could have been seen; drawn from the
/// result alone.
package struct CompareReport: Sendable {
  package let result: CompareResult

  package init(_ result: CompareResult) { self.result = result }

  package var text: String {
    ReportPage(
      title: "\(result.verdict.word) · \(result.scenario) · comparison", style: result.verdict.rawValue,
      kicker: "comparison\(result.base.machine.map { " · " + $0 } ?? "")", word: result.verdict.word,
      name: result.scenario, answer: .text(answer), reasons: result.reasons.map { .text($0) },
      next: [("Base", .text(result.base.shown)), ("Candidate", .text(result.candidate.shown))],
      figures: figures, sections: sections, footer: "murphy compare · \(result.format)"
    ).text
  }

  private var sections: [ReportPage.Section] {
    let tables = CompareTables(result: result)
    return [
      .init(id: "change", title: "Change", content: ChangeCharts(result: result).markup),
      .init(id: "numbers", title: "Numbers", content: tables.operations),
      .init(
        id: "groups", title: result.mode == .live ? "Group by group" : "Run by run",
        content: GroupCharts(result: result).markup),
      .init(id: "distribution", title: "Distribution", content: CompareCurves(result: result).markup),
      .init(id: "findings", title: "Findings", content: tables.findings),
      .init(id: "beside", title: "Coverage and limits", content: tables.beside),
      .init(id: "design", title: "How it was measured", content: CompareDesignPart(result: result).markup),
      .init(id: "words", title: "Words", content: CompareWords.markup),
    ]
  }

  private var figures: [ReportPage.KeyFigure] {
    let requests: [ReportPage.KeyFigure] = [
      .init("requests, base", .count(result.base.requests)),
      .init("requests, candidate", .count(result.candidate.requests)),
    ]
    let runs: [ReportPage.KeyFigure] =
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
    case .pass: "The candidate is not slower: a slowdown beyond the margin is ruled out for all that was compared."
    case .fail:
      result.operations.contains { $0.rows.contains { $0.verdict == .fail } }
        ? "The candidate is worse than the base." : "The candidate shows what the base does not."
    case .noData: "Not decided: neither is a slowdown shown, nor is one beyond the margin ruled out."
    case .invalid, .shard: "No verdict on the candidate: these numbers are not those of the API."
    }
  }
}

extension CompareRow {
  /// The style of a row's verdict, and of one that decides nothing.
  var style: String {
    switch verdict {
    case .fail: "broken"
    case .pass: "kept"
    case .noData, .notTested: "none"
    case nil: "shown"
    }
  }
}
