import MurphyModel

/// The complete output of a run with `-v`. It has a row per operation, the sessions, the findings by priority, and the
/// checks that did not pass. The advice and the verdict come last. `TerminalSummary` prints only the decision.
public struct TerminalDetails: Sendable {
  private let result: RunResult
  private let terminal: Terminal
  private var width: Int { terminal.width }
  /// The page in the report folder; nil if no report was written.
  private let report: String?

  /// A summary `width` columns wide, with or without terminal colours.
  public init(_ result: RunResult, width: Int = 80, colour: Bool = false, report: String? = nil) {
    (self.result, self.report) = (result, report)
    terminal = Terminal(
      width: min(max(width, 40), 200), colour: colour, elsewhere: report != nil ? " in the report" : "")
  }

  private static let operationsShown = 60
  private static let findingsShown = 12
  private static let checksShown = 20

  /// The lines; the last one is only the word of the verdict.
  public var text: String {
    let tables: [[Block]] =
      result.explored.map { [[.table(.explored($0))] + texts($0.notes)] } ?? [
        operations, latency, spans, [.table(.tags(result.tags ?? []))], statuses, [.table(.sessions(result.sessions))],
        texts(result.run.fixtures), headed("shards", result.run.shardLines), generator,
        headed("baseline", result.baselineLines + result.baselineDetails),
      ]
    let parts = (tables + [repeats, findings]).map { $0.lines(terminal) } + [reproduction, checks, decision]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n\n" }.joined() + verdict + "\n"
  }

  private func texts(_ lines: [String]) -> [Block] { lines.map { .text(Phrase($0)) } }

  private func headed(_ heading: String, _ lines: [String]) -> [Block] {
    lines.isEmpty ? [] : [.heading(heading)] + texts(lines)
  }

  /// The outcomes of the requests of each operation; figures that are 0 everywhere have no column.
  private var operations: [Block] {
    let called = result.calledOperations.prefix(Self.operationsShown)
    let table = ReportTable.ends(result.calledOperations)
    let rows = table.rows.prefix(Self.operationsShown)
    let used = table.columns.indices.filter { index in
      index < 3 || table.columns[index].kind == .number && rows.contains { $0[index].text != "0" }
    }
    let block = Block.table(table.picking(used.map { table.columns[$0].title }), most: Self.operationsShown)
    // Escape sequences take no columns.
    let isTooWide = [block].lines(terminal).dropFirst().contains { TerminalText.columns($0) > width }
    return isTooWide ? called.map { .facts([($0.operation, endsInWords($0))]) } : [block]
  }

  /// `363 requests: 313 violating, 50 unanswered`, if a table does not fit.
  private func endsInWords(_ operation: OperationResult) -> Phrase {
    let ends = operation.shownEnds?.filter { $0.count > 0 }.map { "\($0.count.text) \($0.name)" } ?? []
    return "\(counted(operation.requests, "request")): \(ends.joined(separator: ", "))"
  }

  private var latency: [Block] {
    let shown = Array(result.calledOperations.prefix(Self.operationsShown))
    guard !shown.isEmpty else { return [] }
    let table = ReportTable.latency(shown).picking(["operation", "responses/s", "p50", "p95", "p99", "max"])
    // The phases of the service time of all responses.
    let phases = PhaseShare.words(of: result.calledOperations)
    return [.table(table.titled("latency"))] + texts(shown.compactMap(\.unansweredText))
      + texts(phases.isEmpty ? [] : ["service time: \(phases)"])
  }

  private var spans: [Block] {
    guard let spans = result.spans else { return [] }
    return [.heading("spans")] + texts([spans.sentence])
      + spans.operations.map { .table(ReportTable.spans($0).titled($0.operation)) }
  }

  /// The statuses and errors of each operation's requests.
  private var statuses: [Block] {
    let called = result.calledOperations.prefix(Self.operationsShown)
    return called.isEmpty ? [] : [.heading("statuses"), .facts(called.map { ($0.operation, $0.endings) })]
  }

  /// The state of the load generator: it shows how reliable these figures are.
  private var generator: [Block] { headed("generator", result.ledger.planned == 0 ? [] : [result.generator.figures]) }

  /// Every repeated or unsent request is reported.
  private var repeats: [Block] {
    texts((result.ledger.repeated > 0 ? [result.ledger.repeatSentence] : []) + result.sideNotes)
  }

  private var findings: [Block] {
    // An exploration has too many coverage notes to list them here.
    let list = result.findingList
    let all = list.entries
    let entries = all.filter { result.explored == nil || $0.finding.severity > .note }
    let notes = all.count - entries.count
    return entries.prefix(Self.findingsShown).map { .finding(FindingArticle($0, in: list)) }
      + Block.cut(all.count - min(entries.count, Self.findingsShown)) { cut in
        "and \(counted(cut, "more finding"))\(notes > 0 ? ", of which \(counted(notes, "note"))" : "")"
          + terminal.elsewhere
      }
  }

  private static let commandsShown = 3

  /// The commands of the first errors, each on a line of its own so that it can be pasted.
  private var reproduction: [String] {
    let errors = result.findingList.entries.filter { $0.finding.severity == .error }
    return errors.lazy.compactMap(ReproductionScript.init).prefix(Self.commandsShown).map { script in
      terminal.paint("reproduce \(script.entry.number)", .faint) + "  "
        + (report == nil ? script.line : script.command(report: report))
    }
  }

  private var checks: [String] {
    let all = result.checks
    let kept = all.passedCount
    var lines = lines(all.open)
    if kept > 0 {
      let fewest = all.weakest.flatMap { weakest in
        weakest.trialsText.map { "; the check with the fewest trials is \"\(weakest.name)\" (\($0))" }
      }
      lines += TerminalText.hang(
        terminal.paint("✓ passed", .green) + "   ", counted(kept, "check") + (fewest ?? ""), indent: 11, to: width)
    }
    for (index, line) in result.strengthLines.enumerated() {
      let head = index == 0 ? terminal.paint("  strength", .faint) + " " : String(repeating: " ", count: 11)
      lines += TerminalText.hang(head, line, indent: 11, to: width)
    }
    return lines + self.lines(all.notRequired)
  }

  private func lines(_ checks: [Check]) -> [String] {
    let rows = Check.rows(checks)
    var lines = rows.prefix(Self.checksShown).flatMap { row in
      let check = row[0]
      let style: TerminalText.Style =
        check.outcome == .failed ? .red : check.outcome == .notRequired ? .faint : .yellow
      let label = check.outcome.sign + " " + check.outcome.word
      let blank = String(repeating: " ", count: max(10 - TerminalText.columns(label), 0))
      let names = row.map(\.name).joined(separator: "; ")
      return TerminalText.hang(
        terminal.paint(label, style) + blank + " ", "\(names): \(check.seenText)\(Self.numbers(check.findings))",
        indent: TerminalText.columns(label + blank) + 1, to: width)
    }
    let cut = rows.count - Self.checksShown
    if cut > 0 { lines.append(terminal.paint("and \(cut) more", .faint)) }
    return lines
  }

  /// ` (findings 1, 4)`
  private static func numbers(_ findings: [Int]) -> String {
    if findings.isEmpty { return "" }
    let shown = findings.prefix(8).map(String.init).joined(separator: ", ")
    return " (\(findings.count == 1 ? "finding" : "findings") \(shown)\(findings.count > 8 ? " …" : ""))"
  }

  /// The decision, its reason if no check above states it, and what to do.
  private var decision: [String] {
    let decision = VerdictSummary(result)
    let unsaid =
      result.ledger.contradictions + decision.lines.filter { $0.links.isEmpty && $0.section == nil }.map(\.text)
    return terminal.wrapped(result.answer) + unsaid.flatMap(terminal.indented)
      + (decision.advice.map(terminal.wrapped) ?? [])
  }

  private var verdict: String { TerminalText.verdict(result.verdict, colour: terminal.colour) }
}
