import MurphyModel

/// `summary.md`, in GitHub Flavored Markdown: what a reviewer reads in a pull request.
public struct MarkdownReport: Sendable {
  public let result: RunResult

  public init(_ result: RunResult) { self.result = result }

  private static let operationsShown = 60
  private static let findingsShown = 20
  private static let promisesShown = 100
  private static let reasonsShown = 8

  /// Well below the 1 MiB that GitHub takes of a step's summary.
  public var text: String {
    [heading, promises, findings, operations, sessions, ledger, footer].filter { !$0.isEmpty }.joined(separator: "\n\n")
      + "\n"
  }

  private var heading: String {
    let sign =
      switch result.verdict {
      case .pass: "✅"
      case .fail: "❌"
      case .invalid: "⚠️"
      case .noData: "⚪"
      }
    let reasons = result.reasons.prefix(8).map { "- \(MarkdownText.plain($0))" }
    return
      (["# \(sign) \(result.verdict.word) · \(MarkdownText.plain(result.run.scenario))", "", result.answer]
      + (reasons.isEmpty ? [] : [""] + reasons)).joined(separator: "\n")
  }

  private var promises: String {
    let all = result.promises
    let open = all.filter { $0.outcome != .kept && $0.outcome != .untested }
    let kept = all.count { $0.outcome == .kept }
    let untested = all.filter { $0.outcome == .untested }
    let aside = untested.isEmpty ? "" : " Not tested: \(untested.count)."
    var lines = ["## Promises", "", "\(kept) of \(kept + open.count) kept.\(aside)"]
    let shown = open + untested
    if !shown.isEmpty {
      lines += ["", "| | promise | seen |", "|---|---|---|"]
      lines += shown.prefix(Self.promisesShown).map { promise in
        "| \(promise.outcome.word) | \(MarkdownText.plain(promise.name)) | \(MarkdownText.plain(promise.sentence)) |"
      }
      if shown.count > Self.promisesShown { lines += ["", "…and \(shown.count - Self.promisesShown) more."] }
    }
    return lines.joined(separator: "\n")
  }

  private var findings: String {
    guard !result.findings.isEmpty else { return "" }
    let shown = result.findings.prefix(Self.findingsShown).map(finding)
    let cut = result.findings.count - Self.findingsShown
    return (["## Findings"] + shown + (cut > 0 ? ["…and \(cut) more in `result.json`."] : [])).joined(separator: "\n\n")
  }

  private func finding(_ finding: Finding) -> String {
    let subject = [finding.kind, finding.operation].compactMap { $0 }.map(MarkdownText.code).joined(separator: " ")
    var lines = [
      "**\(finding.severity.rawValue)** \(subject): \(MarkdownText.plain(finding.message))  ",
      finding.occurrence + (finding.loadThreshold.map { ", **\($0)**" } ?? "")
        + (finding.evidence?.source.map { ", declared at \(MarkdownText.code($0.text))" } ?? ""),
    ]
    if let curl = finding.evidence?.curl {
      lines += [
        "<details><summary>Repeat it</summary>", "", MarkdownText.block(curl, language: "sh"), "", "</details>",
      ]
    }
    return lines.joined(separator: "\n")
  }

  private var operations: String {
    let called = result.calledOperations
    guard !called.isEmpty else { return "" }
    var lines = [
      "## Operations", "",
      "| operation | requests | /s | ok | limited | failed | p50 ms | p95 ms | p99 ms | max ms | statuses |",
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    lines += called.prefix(Self.operationsShown).map { operation in
      let outcomes = operation.outcomes
      let failed = outcomes.clientError + outcomes.serverError + outcomes.transport
      let latency = operation.shownLatency?.all.map { Figure.milliseconds($0) } ?? Array(repeating: "–", count: 4)
      let cells =
        [
          MarkdownText.plain(operation.operation), Figure.count(operation.requests).text,
          Figure.digits(operation.throughput), Figure.count(outcomes.ok).text, Figure.count(outcomes.limited).text,
          Figure.count(failed).text,
        ] + latency + [MarkdownText.plain(operation.endings)]
      return "| " + cells.joined(separator: " | ") + " |"
    }
    if called.count > Self.operationsShown {
      lines += ["", "…and \(called.count - Self.operationsShown) more."]
    }
    let unanswered = called.prefix(Self.operationsShown).compactMap(\.unansweredText)
    if !unanswered.isEmpty { lines += [""] + unanswered.map { "- \(MarkdownText.plain($0))" } }
    return lines.joined(separator: "\n")
  }

  private var sessions: String {
    guard !result.sessions.isEmpty else { return "" }
    let lines = [
      "## Sessions", "", "| session | began | completed | left | failed | unfinished | ended early, why |",
      "|---|---:|---:|---:|---:|---:|---|",
    ]
    let rows = result.sessions.map { session in
      let ends = session.earlyEnds
      let cut = ends.count - Self.reasonsShown
      let why = ends.prefix(Self.reasonsShown) + (cut > 0 ? ["and \(counted(cut, "more reason"))"] : [])
      let cells =
        [session.started, session.completed, session.leftTotal, session.failedTotal, session.unfinished]
        .map { Figure.count($0).text }
      return "| "
        + ([MarkdownText.plain(session.session)] + cells + [
          why.isEmpty ? "–" : why.map(MarkdownText.plain).joined(separator: "; ")
        ])
        .joined(separator: " | ") + " |"
    }
    return (lines + rows).joined(separator: "\n")
  }

  private var ledger: String {
    let ledger = result.ledger
    func number(_ value: Int) -> String { Figure.count(value).text }
    let sums = [
      "planned \(number(ledger.planned)) = sent \(number(ledger.sent)) + dropped \(number(ledger.droppedTotal))",
      "sent \(number(ledger.sent)) = answered \(number(ledger.answered)) + lost \(number(ledger.transport)) + cancelled \(number(ledger.cancelled)) + in flight \(number(ledger.inFlightAtEnd))",
      "answered \(number(ledger.answered)) = conformant \(number(ledger.conformant)) + violating \(number(ledger.violating)) + unchecked \(number(ledger.uncheckedTotal))",
    ]
    let repeats = ledger.repeated > 0 ? [ledger.repeatSentence] : []
    return "<details><summary>Ledger</summary>\n\n"
      + MarkdownText.block((sums + repeats).joined(separator: "\n"), language: "text")
      + "\n\n</details>"
  }

  private var footer: String {
    let run = result.run
    return
      "\(MarkdownText.code(run.scenarioFile)) against \(MarkdownText.code(run.target)), \(Figure.seconds(run.duration).text) from \(MarkdownText.plain(run.started)), seed \(run.seed), murphy \(MarkdownText.plain(run.murphy))"
  }
}
