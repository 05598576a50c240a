import MurphyModel

/// `summary.md`, in GitHub Flavored Markdown, for a reviewer of a pull request.
package struct MarkdownReport: Sendable {
  package let result: RunResult

  package init(_ result: RunResult) { self.result = result }

  private static let operationsShown = 60
  private static let findingsShown = 20
  private static let checksShown = 100

  /// Well below the limit of 1 MiB for the summary of a step on GitHub.
  package var text: String {
    var document = VerdictHeader(result).document
    document.sections = [
      .init("findings", "Findings", in: [.summary]) { findings },
      .init("checks", "Checks", in: [.summary]) { checks },
      .init("operations", "Operations", in: [.summary]) { operations },
      .init("spans", "Spans of the target", in: [.summary]) { SpansSection(result: result).blocks },
      .init("sessions", "Sessions", in: [.summary]) {
        if !result.sessions.isEmpty {
          ReportTable.sessions(result.sessions)
          result.run.fixtures.map { Block.text(Phrase($0)) }
        }
      },
      .init("ledger", "Ledger", isFolded: true, in: [.summary]) { ledger },
      .init("shards", "Shards", in: [.summary]) {
        let lines = result.run.shardLines
        if !lines.isEmpty { Block.lines(lines) }
      },
    ]
    let run = result.run
    document.setting.markdown =
      "\(MarkdownText.code(run.scenarioFile)) against \(MarkdownText.code(run.target)), "
      + "\(Figure.time(run.duration).text), started \(MarkdownText.plain(run.started)), seed \(run.seed), murphy "
      + "\(MarkdownText.plain(run.murphy))"
    return document.markdown
  }

  @BlockBuilder private var checks: [Block] {
    let all = result.checks
    let (open, kept, untested) = (all.open, all.passedCount, all.notRequired)
    let aside = all.notTested.isEmpty ? "" : " Not tested: \(all.notTested.count)."
    Block.text("\(kept) of \(counted(kept + open.count, "check")) passed.\(aside)")
    result.baselineLines.map { Block.text(Phrase($0)) }
    let table = ChecksSection(result: result).table((open + untested).map { (0, $0) }, "")
      .picking(["outcome", "check", "trials", "seen", "findings"]).titled("")
    if !table.rows.isEmpty { Block.table(table, most: Self.checksShown) }
    let passed = all.filter { $0.outcome == .passed }.map { check in
      "\(check.name): " + [check.trialsText, check.strength].compactMap(\.self).joined(separator: "; ")
    }
    if !passed.isEmpty {
      Block.fold("Sensitivity of the passed checks", [.lines(passed, most: Self.checksShown)])
    }
  }

  @BlockBuilder private var findings: [Block] {
    let list = result.findingList
    let entries = list.entries
    entries.prefix(Self.findingsShown).map { Block.finding(FindingArticle($0, in: list)) }
    let cut = entries.count - Self.findingsShown
    if cut > 0 { Block.text(Phrase("", markdown: "…and \(cut) more in `result.json`.")) }
  }

  @BlockBuilder private var operations: [Block] {
    let called = result.calledOperations
    if !called.isEmpty {
      let names =
        ["operation", "requests"] + RequestEnds().shown.map(\.name) + ["statuses", "p50", "p95", "p99", "max"]
      let table = ReportTable.ends(called).beside(.latency(called)).picking(names)
      Block.table(table, most: Self.operationsShown)
      let unanswered = called.prefix(Self.operationsShown).compactMap(\.unansweredText)
      if !unanswered.isEmpty { Block.lines(unanswered) }
    }
  }

  private var ledger: [Block] {
    let ledger = result.ledger
    func number(_ value: Int) -> String { value.text }
    let sums = [
      "planned \(number(ledger.planned)) = sent \(number(ledger.sent)) + dropped \(number(ledger.droppedTotal))",
      "sent \(number(ledger.sent)) = answered \(number(ledger.answered)) + lost \(number(ledger.transport)) + "
        + "cancelled \(number(ledger.cancelled)) + in flight \(number(ledger.inFlightAtEnd))",
      "answered \(number(ledger.answered)) = conformant \(number(ledger.conformant)) + violating "
        + "\(number(ledger.violating)) + unchecked \(number(ledger.uncheckedTotal))",
    ]
    let repeats = (ledger.repeated > 0 ? [ledger.repeatSentence] : []) + result.sideNotes
    return [.code((sums + repeats).joined(separator: "\n"), language: "text")]
  }
}
