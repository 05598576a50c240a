import MurphyModel

/// `summary.md`, in GitHub Flavored Markdown: what a reviewer reads in a pull request.
package struct MarkdownReport: Sendable {
  package let result: RunResult

  package init(_ result: RunResult) { self.result = result }

  private static let operationsShown = 60
  private static let findingsShown = 20
  private static let checksShown = 100

  /// Well below the 1 MiB that GitHub takes of a step's summary.
  package var text: String {
    [heading, findings, checks, operations, sessions, ledger, shards, footer].filter { !$0.isEmpty }.joined(
      separator: "\n\n")
      + "\n"
  }

  private var heading: String {
    let decision = Decision(result)
    var lines = [
      "# \(result.verdict.sign) \(result.verdict.word) · \(MarkdownText.plain(result.run.scenario))", "", result.answer,
    ]
    if !decision.lines.isEmpty { lines += [""] + decision.lines.map { "- \(MarkdownText.plain($0.text))" } }
    lines += decision.advice.map { ["", "**What to do:** \(MarkdownText.plain($0))"] } ?? []
    if !decision.untested.isEmpty {
      lines += ["", "**Not tested:** " + decision.untested.map { MarkdownText.plain($0.text) }.joined(separator: ", ")]
    }
    return lines.joined(separator: "\n")
  }

  private var checks: String {
    let all = result.checks
    let (open, kept, untested) = (all.open, all.passedCount, all.notRequired)
    let aside = all.notTested.isEmpty ? "" : " Not tested: \(all.notTested.count)."
    var lines = ["## Checks", "", "\(kept) of \(kept + open.count) passed.\(aside)"]
    var table = ChecksSection(result: result).table((open + untested).map { (0, $0) }, "")
    if !table.rows.isEmpty {
      table = table.picking(["outcome", "check", "trials", "seen", "findings"])
      table.columns[0].title = ""
      lines += ["", table.markdown(most: Self.checksShown)]
    }
    let passed = all.filter { $0.outcome == .passed }
    if !passed.isEmpty {
      lines += ["", "<details><summary>What the passed checks would have detected</summary>", ""]
      lines += passed.prefix(Self.checksShown).map { check in
        let worth = [check.trialsText, check.strength].compactMap(\.self).joined(separator: "; ")
        return "- \(MarkdownText.plain(check.name)): \(MarkdownText.plain(worth))"
      }
      if passed.count > Self.checksShown { lines.append("- and \(passed.count - Self.checksShown) more") }
      lines += ["", "</details>"]
    }
    return lines.joined(separator: "\n")
  }

  private var findings: String {
    let entries = result.findingList.entries
    guard !entries.isEmpty else { return "" }
    let cut = entries.count - Self.findingsShown
    return
      (["## Findings"] + entries.prefix(Self.findingsShown).map(finding)
      + (cut > 0 ? ["…and \(cut) more in `result.json`."] : [])).joined(separator: "\n\n")
  }

  private func finding(_ entry: FindingList.Entry) -> String {
    let finding = entry.finding
    let subject = [finding.kind.rawValue, finding.operation].compactMap { $0 }.map(MarkdownText.code).joined(
      separator: " ")
    var lines = [
      "**\(entry.number). \(finding.severity.rawValue)** \(subject): \(MarkdownText.plain(finding.message))  ",
      finding.occurrence + (finding.loadThreshold.map { ", **\($0)**" } ?? "")
        + (finding.evidence?.source.map { ", declared at \(MarkdownText.code($0.text))" } ?? ""),
    ]
    if let curl = finding.evidence?.curl?.text {
      lines += [
        "<details><summary>Reproduce</summary>", "", MarkdownText.block(curl, language: "sh"), "", "</details>",
      ]
    }
    return lines.joined(separator: "\n")
  }

  private var operations: String {
    let called = result.calledOperations
    guard !called.isEmpty else { return "" }
    let names = ["operation", "requests"] + RequestEnds().shown.map(\.name) + ["statuses", "p50", "p95", "p99", "max"]
    let table = ReportTable.ends(called).beside(.latency(called)).picking(names)
    var lines = ["## Operations", "", table.markdown(most: Self.operationsShown)]
    let unanswered = called.prefix(Self.operationsShown).compactMap(\.unansweredText)
    if !unanswered.isEmpty { lines += [""] + unanswered.map { "- \(MarkdownText.plain($0))" } }
    return lines.joined(separator: "\n")
  }

  private var sessions: String {
    guard !result.sessions.isEmpty else { return "" }
    let lines = ["## Sessions", "", ReportTable.sessions(result.sessions).markdown()]
    let fixtures = result.run.fixtures.flatMap { ["", MarkdownText.plain($0)] }
    return (lines + fixtures).joined(separator: "\n")
  }

  private var ledger: String {
    let ledger = result.ledger
    func number(_ value: Int) -> String { Figure.count(value).text }
    let sums = [
      "planned \(number(ledger.planned)) = sent \(number(ledger.sent)) + dropped \(number(ledger.droppedTotal))",
      "sent \(number(ledger.sent)) = answered \(number(ledger.answered)) + lost \(number(ledger.transport)) + cancelled \(number(ledger.cancelled)) + in flight \(number(ledger.inFlightAtEnd))",
      "answered \(number(ledger.answered)) = conformant \(number(ledger.conformant)) + violating \(number(ledger.violating)) + unchecked \(number(ledger.uncheckedTotal))",
    ]
    let repeats = (ledger.repeated > 0 ? [ledger.repeatSentence] : []) + result.sideNotes
    return "<details><summary>Ledger</summary>\n\n"
      + MarkdownText.block((sums + repeats).joined(separator: "\n"), language: "text")
      + "\n\n</details>"
  }

  private var shards: String {
    let lines = result.run.shardLines
    return lines.isEmpty ? "" : "## Shards\n\n" + lines.map { "- \(MarkdownText.plain($0))" }.joined(separator: "\n")
  }

  private var footer: String {
    let run = result.run
    return
      "\(MarkdownText.code(run.scenarioFile)) against \(MarkdownText.code(run.target)), \(Figure.seconds(run.duration).text) from \(MarkdownText.plain(run.started)), seed \(run.seed), murphy \(MarkdownText.plain(run.murphy))"
  }
}

/// Escapes for GitHub Flavored Markdown.
package enum MarkdownText {
  /// Words that mean nothing but themselves, also in a table's cell: on one line, no markup, no HTML, no mention.
  package static func plain(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": escaped += " "
      case "\\", "`", "*", "_", "[", "]", "#", "|", "~", "!": escaped += "\\\(scalar)"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      // A zero-width joiner keeps GitHub from notifying whoever bears that name.
      case "@": escaped += "@\u{200D}"
      default: escaped.unicodeScalars.append(scalar.steersTerminals ? "\u{FFFD}" : scalar)
      }
    }
    return escaped
  }

  /// A code span, fenced by more backticks than it holds (CommonMark 0.31.2, 6.1).
  package static func code(_ text: String) -> String {
    let line = shown(text.textLines.filter { !$0.isEmpty }.joined(separator: " ")).escaping(["|": "\\|"])
    let fence = String(repeating: "`", count: longestRun(of: "`", in: line) + 1)
    let isFenced = [line.utf8.first, line.utf8.last].contains(UInt8(ascii: "`"))
    let padding = isFenced || line.isEmpty ? " " : ""
    return fence + padding + line + padding + fence
  }

  /// A fenced block (CommonMark 0.31.2, 4.5).
  package static func block(_ text: String, language: String) -> String {
    let fence = String(repeating: "`", count: max(longestRun(of: "`", in: text) + 1, 3))
    return "\(fence)\(language)\n\(shown(text))\n\(fence)"
  }

  /// Code without characters that a terminal would act on, for a summary is also read with `cat`.
  private static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { $0.steersTerminals && $0 != "\n" && $0 != "\t" ? "\u{FFFD}" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func longestRun(of letter: Unicode.Scalar, in text: String) -> Int {
    var longest = 0
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar == letter ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}

extension Verdict {
  /// What a list of results shows of each.
  var sign: String {
    switch self {
    case .pass: "✅"
    case .fail: "❌"
    case .invalid: "⚠️"
    case .noData: "⚪"
    case .shard: "➗"
    }
  }
}
