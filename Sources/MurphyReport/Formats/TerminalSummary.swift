import MurphyModel

/// The decision of a run on one screen: failed checks, undecided checks, the slowest operations, and the next command.
/// At most 40 lines at 80 columns. `TerminalDetails` prints the rest.
public struct TerminalSummary: Sendable {
  let result: RunResult
  let width: Int
  private var colour: Bool
  private let report: String?
  private let again: String?
  private let next: String?
  let list: FindingList
  let checks: [Check]

  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - colour: true if escape sequences for colours may be used (ECMA-48, 8.3.117).
  ///   - report: the page that was written; nil if there is none.
  ///   - again: the command that repeats the run; nil if there is none.
  ///   - next: the command that leads to a decision; nil if there is none.
  public init(
    _ result: RunResult, width: Int = 80, colour: Bool = false, report: String? = nil, again: String? = nil,
    next: String? = nil
  ) {
    self.result = result
    self.width = min(max(width, 40), 200)
    self.colour = colour
    self.report = report
    self.again = again
    self.next = next
    list = result.findingList
    checks = result.checks
  }

  var errors: [FindingList.Entry] { list.entries.filter { $0.finding.severity == .error } }
  private static let operationsShown = 3

  /// The lines; the last one is only the word of the verdict.
  public var text: String {
    var plain = self
    plain.colour = false
    // The slowest operations are left out before a text is cut.
    let forms = [6, 3, 2, 1].flatMap { lines in [true, false].map { (lines, $0) } }
    let height = result.verdict == .pass ? 24 : 40
    let fitting = forms.first { plain.rows(of: plain.text(linesEach: $0, hasSlowest: $1)) <= height }
    return text(linesEach: fitting?.0 ?? 1, hasSlowest: fitting?.1 ?? false)
  }

  private func text(linesEach: Int, hasSlowest: Bool) -> String {
    let parts = [header, checkLines(linesEach), explored, hasSlowest ? slowest : [], commands(linesEach)]
    let blocks = parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
    return blocks.joined(separator: "\n\n") + "\n" + TerminalText.verdict(result.verdict, colour: colour) + "\n"
  }

  /// The rows of the screen: a command that is longer than a line takes several of them.
  private func rows(of text: String) -> Int {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().reduce(0) { sum, line in
      sum + max(1, (TerminalText.columns(String(line)) + width - 1) / width)
    }
  }

  /// `FAIL  Release gate → http://127.0.0.1:8080    18.7 s · 2,103 requests · 112/s`
  private var header: [String] {
    let word = result.verdict.word
    let name = "\(TerminalText.safe(result.run.scenario)) → \(TerminalText.safe(result.run.target))"
    let sent = result.ledger.sent
    let duration = result.run.duration
    let figures =
      [Figure.time(duration).text, counted(sent, "request")]
      + (duration > .zero && sent > 0 ? [Figure.rate(Double(sent) / duration.inSeconds).text] : [])
    let right = figures.joined(separator: " · ")
    let painted = TerminalText.verdict(result.verdict, colour: colour)
    let room = width - TerminalText.columns(word) - 2
    let gap = room - TerminalText.columns(name) - TerminalText.columns(right)
    if gap >= 2 { return [painted + "  " + name + String(repeating: " ", count: gap) + right] }
    let indent = String(repeating: " ", count: TerminalText.columns(word) + 2)
    return [painted + "  " + TerminalText.cut(name, to: room), indent + TerminalText.cut(right, to: room)]
  }

  // MARK: checks

  private func checkLines(_ linesEach: Int) -> [String] {
    let broken = checks.count { $0.outcome == .failed }
    // Without a verdict on the API the reason matters, and the headline states it.
    let open = checks.open.filter { $0.outcome != .failed && result.verdict != .invalid }
    return headline(broken) + faults + failed(linesEach) + self.open(open, linesEach) + rest + baseline
  }

  /// The faults that the reference API was started with: a failure is then expected.
  private var faults: [String] {
    guard let faults = result.run.faults, !faults.isEmpty else { return [] }
    return row(
      "   · ",
      [
        "the reference API ran with \(faults.count == 1 ? "a fault" : "faults"): "
          + TerminalText.safe(faults.joined(separator: ", "))
      ])
  }

  private func headline(_ broken: Int) -> [String] {
    let total = checks.count { $0.outcome != .notRequired }
    switch result.verdict {
    case .fail where broken > 0:
      // A check may fail in several ways, and an outage fails many checks.
      let rows =
        list.entries.count { $0.finding.severity == .error }
        + checks.count { $0.outcome == .failed && $0.findings.isEmpty }
      let why = rows == broken ? "" : ", with \(counted(rows, "finding"))"
      return TerminalText.wrap("\(broken) of \(counted(total, "check")) failed\(why)", to: width)
    case .pass where checks.allSatisfy({ [.passed, .notRequired].contains($0.outcome) }):
      let kept = checks.passedCount
      return [kept == 1 ? "The only check passed" : "All \(kept) checks passed"]
    case .pass:
      return TerminalText.wrap(
        "\(checks.passedCount) of \(counted(total, "check")) passed, none failed, the others are listed below",
        to: width)
    default:
      // The decision above or the rows below already state these reasons.
      let listed = result.verdict == .noData ? Set(checks.open.compactMap { $0.row?.reason.withoutFullStop }) : []
      let reasons = result.reasons.filter {
        !(result.run.cutShort && $0.hasPrefix("The run was cut short")) && !listed.contains($0.withoutFullStop)
      }
      let told = ([result.answer] + reasons.prefix(3).filter { !result.answer.contains($0.withoutFullStop) })
      // A name at the beginning of a sentence keeps its spelling.
      let sentences = told.map { text in
        ["the ", "an ", "a ", "murphy "].contains(where: text.hasPrefix) ? text.capitalizedFirst : text
      }
      return sentences.flatMap { TerminalText.wrap(TerminalText.safe($0), to: width) }
    }
  }

  // MARK: operations

  /// The decided, sent and remaining parts of an exploration.
  private var explored: [String] {
    (result.explored?.brief ?? []).flatMap { row("   · ", [TerminalText.safe($0)]) }
  }

  private var slowest: [String] {
    // No upper end means that the client gave up after its timeout: such an operation is the slowest.
    let timed = result.calledOperations.filter { $0.shownLatency.map { $0.p95.high != .zero } ?? false }
    guard result.explored == nil, !timed.isEmpty else { return [] }
    func slowness(_ operation: OperationResult) -> (Duration, Duration) {
      let p95 = operation.shownLatency?.p95
      return (p95.map { $0.high ?? .saturating(seconds: .infinity) } ?? .zero, p95?.low ?? .zero)
    }
    let sorted = timed.sorted { slowness($1) < slowness($0) }
    let shown = Array(sorted.prefix(Self.operationsShown))
    var table = ReportTable.ends(shown).beside(.latency(shown)).picking(["operation", "requests", "p50", "p95", "p99"])
      .titled("Slowest by p95")
    table.columns[1].spare = ReportTable.Column.late - 1
    for index in shown.indices { table.rows[index][0].text = " " + shown[index].operation }
    let more = timed.count - shown.count
    let isOpen = shown.compactMap(\.shownLatency).contains { $0.p50.isOpen || $0.p95.isOpen || $0.p99.isOpen }
    return table.lines(width: width, colour: colour)
      + (more > 0 ? [paint(" and \(counted(more, "more operation"))\(elsewhere)", .faint)] : [])
      + (isOpen ? ranges : [])
  }

  private var ranges: [String] {
    TerminalText.hang(
      " ", "Some latencies are only known as a range, because \(result.reasonOfRanges).", indent: 1, to: width
    )
    .map { paint($0, .faint) }
  }

  // MARK: what to run

  private static let longestStep = 170
  private static let label = 14

  /// The commands, each on a line of its own so that it can be pasted, and what to do next.
  private func commands(_ linesEach: Int) -> [String] {
    var lines: [String] = []
    func head(_ name: String) -> String {
      paint(name, .faint) + String(repeating: " ", count: max(Self.label - name.count, 1))
    }
    func add(_ name: String, _ text: String) { lines.append(head(name) + text) }
    func hang(_ name: String, _ text: String) {
      let most = max(linesEach, 2)
      // Whole sentences: the last ones are left out where space is short.
      var text = text
      while TerminalText.wrap(text, to: width - Self.label).count > most, let end = text.ranges(of: ". ").last {
        text = text[..<end.lowerBound] + "."
      }
      lines += TerminalText.hang(head(name), text, indent: Self.label, to: width, lines: most)
    }
    if let first = errors.first(where: { $0.finding.evidence?.curl != nil }) ?? errors.first {
      // The Re-run command is a better form of a script that runs murphy.
      if let script = ReproductionScript(first), again == nil || !script.runsMurphy {
        add("Reproduce \(first.number)", script.command(report: report))
      } else if again != nil {
        hang(
          "Reproduce \(first.number)",
          "use the Re-run command"
            + (result.median(over: first.finding) == nil ? ", because no single request reproduces the finding" : "")
            + exchanges(first))
      }
    }
    // The next command repeats the run, too.
    if let again, next == nil { add("Re-run", TerminalText.safe(again)) }
    if let report { add("Report", TerminalText.safe(report)) }
    if let next {
      add("Next", TerminalText.safe(next))
    } else if let advice, !advice.isEmpty {
      hang("Next", advice)
    }
    return lines
  }

  /// What to do next: for a failed run, the step of its state or of its first finding.
  private var advice: String? {
    let summary = VerdictSummary(result, checks, list)
    guard result.verdict == .fail, !summary.isSpecific, let first = list.entries.first?.finding,
      first.severity == .error
    else { return summary.advice }
    var remedy = first.kind.rule.plainRemedy
    if remedy.hasPrefix("Look first"), let suspect = suspect(first), let end = remedy.firstRange(of: ". ") {
      remedy = suspect + remedy[end.upperBound...]
    }
    // Whole sentences, at least one.
    guard remedy.count > Self.longestStep else { return remedy }
    let ends = remedy.ranges(of: ". ").map(\.lowerBound)
    let end = ends.last { remedy[..<$0].count < Self.longestStep } ?? ends.first
    return end.map { remedy[..<$0] + "." } ?? remedy
  }

  /// The write that may be lost, or the last write: `Look first at exchange 2 of finding 1, voteLaw at 4.210 s. `
  private func suspect(_ finding: Finding) -> String? {
    let witness = finding.evidence?.witness ?? []
    guard let index = witness.firstIndex(where: \.isSuspect) ?? witness.lastIndex(where: { !$0.isRead }) else {
      return nil
    }
    let (exchange, mark) = (witness[index], witness[index].isSuspect ? ", which was perhaps lost. " : ". ")
    return "Look first at exchange \(index + 1) of finding 1, \(exchange.operation) at "
      + Figure.exact(exchange.sent).text + mark
  }

  /// The place of the exchanges that prove a finding; empty without any.
  private func exchanges(_ entry: FindingList.Entry) -> String {
    guard let witness = entry.finding.evidence?.witness, !witness.isEmpty else { return "" }
    let proof = counted(witness.count, "exchange")
    return report == nil ? "; -v lists its \(proof)" : "; the report lists its \(proof)"
  }

  var elsewhere: String { report == nil ? " (see -v)" : " in the report" }
  var listed: String { report == nil ? " (see -v)" : " (see the report)" }

  // MARK: layout

  func paint(_ text: String, _ style: TerminalText.Style) -> String { TerminalText.paint(text, style, colour) }
}
