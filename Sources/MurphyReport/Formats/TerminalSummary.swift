import MurphyModel

/// The decision of a run on one screen: failed checks, undecided checks, the slowest operations, and the next command.
/// At most 40 lines at 80 columns. `TerminalDetails` prints the rest.
public struct TerminalSummary: Sendable {
  private let result: RunResult
  private let width: Int
  private var colour: Bool
  private let report: String?
  private let again: String?
  private let next: String?
  private let list: FindingList
  private let checks: [Check]

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

  private static let failedShown = 20
  /// The lines of a screen.
  private static let height = 40
  private static let openShown = 6
  private static let operationsShown = 3
  /// With more findings, fewer undecided checks are listed.
  private static let fewFindings = 6

  /// The lines; the last one is only the word of the verdict.
  public var text: String {
    var plain = self
    plain.colour = false
    // Three lines for each finding if they fit on the screen. The slowest operations give way to findings.
    let fitting = [3, 2, 1].first { plain.rows(of: plain.text(linesEach: $0, hasSlowest: true)) <= Self.height }
    return text(linesEach: fitting ?? 1, hasSlowest: fitting != nil)
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
    return headline(broken) + failed(linesEach) + self.open(open, linesEach) + rest
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
    case .pass: return ["\(checks.passedCount) of \(counted(total, "check")) passed, and none failed"]
    default:
      // The decision above or the rows below already state these reasons.
      let listed = result.verdict == .noData ? Set(checks.open.compactMap { $0.row?.reason.withoutFullStop }) : []
      let reasons = result.reasons.filter {
        !(result.run.cutShort && $0.hasPrefix("The run was cut short")) && !listed.contains($0.withoutFullStop)
      }
      let told = ([result.answer] + reasons.prefix(3).filter { !result.answer.contains($0.withoutFullStop) })
      // A name at the beginning of a sentence keeps its spelling.
      let sentences = told.map { $0.hasPrefix("the ") ? $0.capitalizedFirst : $0 }
      return sentences.flatMap { TerminalText.wrap(TerminalText.safe($0), to: width) }
    }
  }

  /// The errors, with at most so many lines for each, and the checks that failed without an error.
  private func failed(_ linesEach: Int) -> [String] {
    let errors = list.entries.filter { $0.finding.severity == .error }
    let names = errors.map { TerminalText.safe(subject($0)) }
    let column = min(names.map(TerminalText.columns).max() ?? 0, 20)
    let rows = zip(errors, names).prefix(Self.failedShown).flatMap { entry, name in
      let number = "\(entry.number)"
      let head = String(repeating: " ", count: max(2 - number.count, 0)) + number + " " + paint("✗", .red) + " "
      let cut = TerminalText.cut(name, to: column)
      let share = share(entry).map { $0 + ": " } ?? ""
      let place = place(entry.finding).map { " (\($0))" } ?? ""
      let cause = list.cause(of: entry.finding).map { " (caused by finding \($0))" } ?? ""
      // Some messages begin with the name that the row has.
      let message = TerminalText.safe(entry.finding.message)
      let start = [name + ": ", name + " "].first(where: message.hasPrefix) ?? ""
      return row(head, cut, column, share + message.dropFirst(start.count) + place + cause, lines: linesEach)
    }
    let more = errors.count - Self.failedShown
    let silent = checks.filter { $0.outcome == .failed && $0.findings.isEmpty }.prefix(Self.openShown).flatMap {
      row("   " + paint("✗", .red) + " ", nil, 0, "\(TerminalText.safe($0.name)): \(TerminalText.safe($0.seenText))")
    }
    return rows + (more > 0 ? ["   " + paint("and \(counted(more, "more finding"))\(elsewhere)", .faint)] : []) + silent
  }

  private func open(_ checks: [Check], _ linesEach: Int) -> [String] {
    let rows = Check.rows(checks)
    let most = list.entries.count > Self.fewFindings ? Self.openShown / 2 : Self.openShown
    let lines = rows.prefix(most).flatMap { same in
      // The name of a budget has its limit.
      let names = same.map { TerminalText.safe($0.family == .budget ? $0.name : $0.subject) }.joined(separator: ", ")
      let (word, seen) = (same[0].outcome.word, TerminalText.safe(same[0].seenText))
      // Some samples leave it undecided; without samples the state has its own word.
      let isOpen = [.noData, .doubtful].contains(same[0].outcome)
      let state = isOpen && same[0].trials ?? 0 > 0 ? "undecided" : word
      let label = seen.lowercased().hasPrefix(word) ? "" : " (\(state))"
      return row(
        "   " + paint(same[0].outcome.sign, .yellow) + " ", nil, 0, "\(names)\(label): \(seen)", lines: linesEach)
    }
    let more = rows.count - most
    return lines + (more > 0 ? ["   " + paint("and \(counted(more, "more undecided check"))\(elsewhere)", .faint)] : [])
  }

  /// The passed checks, the untested checks, and the contract coverage.
  private var rest: [String] {
    let kept = checks.passedCount
    // The headline already states it.
    let isWhole = result.verdict == .pass && checks.allSatisfy { [.passed, .notRequired].contains($0.outcome) }
    let saysPassed = kept > 0 && !isWhole
    let untested = checks.notRequired
    let limits = untested.count { $0.family == .limit }
    let warnings = list.entries.count { $0.finding.severity == .warning }
    let notes = list.entries.count { $0.finding.severity == .note }
    let items = result.coverage.items.count
    let others = untested.count - limits
    let idle =
      (limits > 0 ? [counted(limits, "rate limit check")] : [])
      + (others > 0 ? [counted(others, limits > 0 ? "other check" : "check")] : [])
    let parts = [
      saysPassed ? "\(kept) passed" : nil,
      idle.isEmpty ? nil : "\(idle.joined(separator: " and ")) not tested (see -v)",
      warnings > 0 ? counted(warnings, "warning") : nil, notes > 0 ? counted(notes, "note") : nil,
      items > 0
        ? "\(result.coverage.seen.text) of \(items.text) contract elements exercised" : nil,
    ].compactMap(\.self)
    guard !parts.isEmpty else { return [] }
    return row(
      "   " + paint(saysPassed ? "✓" : "·", saysPassed ? .green : .faint) + " ", nil, 0, parts.joined(separator: " · "))
  }

  /// The operation of a finding; otherwise the subject of its check: a rate limit, `sessions`, the API.
  private func subject(_ entry: FindingList.Entry) -> String {
    if let operation = entry.finding.operation { return operation }
    if entry.chapter == .outage { return "API" }
    let check = checks.first { $0.outcome == .failed && $0.findings.contains(entry.number) }
    guard let check else { return "run" }
    if let budget = check.row as? BudgetRow { return budget.subject }
    return check.family == .traffic ? "sessions" : check.subject
  }

  /// `214 of 8,435 responses`; nil if the message contains it.
  private func share(_ entry: FindingList.Entry) -> String? {
    let finding = entry.finding
    guard finding.count > 1 else { return nil }
    let count = finding.count.text
    let check = checks.first { $0.family == .contract && $0.findings.contains(entry.number) }
    guard let trials = check?.trials, trials >= finding.count else { return "\(count) times" }
    return "\(count) of \(counted(trials, "response"))"
  }

  /// The line of the check in the contract or the scenario.
  private func place(_ finding: Finding) -> String? {
    (finding.evidence?.source ?? finding.expectation?.source).map { source in
      let file = source.file.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? source.file
      return TerminalText.safe("\(file):\(source.pointer.map { " \($0)" } ?? "\(source.line)")")
    }
  }

  // MARK: operations

  /// The decided, sent and remaining parts of an exploration.
  private var explored: [String] {
    (result.explored?.brief ?? []).flatMap { row("   · ", nil, 0, TerminalText.safe($0)) }
  }

  private var slowest: [String] {
    // No upper end means that the client gave up after its timeout: such an operation is the slowest.
    let timed = result.calledOperations.filter { $0.shownLatency.map { $0.p95.high != .zero } ?? false }
    guard result.explored == nil, !timed.isEmpty else { return [] }
    let sorted = timed.sorted { ($1.shownLatency?.p95.low ?? .zero) < ($0.shownLatency?.p95.low ?? .zero) }
    let shown = Array(sorted.prefix(Self.operationsShown))
    var table = ReportTable.ends(shown).beside(.latency(shown)).picking(["operation", "requests", "p50", "p95", "p99"])
      .titled("Slowest")
    table.columns[1].spare = ReportTable.Column.late - 1
    for index in shown.indices { table.rows[index][0].text = " " + shown[index].operation }
    let more = timed.count - shown.count
    let isOpen = shown.compactMap(\.shownLatency).contains { $0.p50.isOpen || $0.p95.isOpen || $0.p99.isOpen }
    return table.lines(width: width, colour: colour)
      + (more > 0 ? [paint(" and \(counted(more, "more operation")) (-v)", .faint)] : [])
      + (isOpen ? ranges : [])
  }

  private var ranges: [String] {
    TerminalText.hang(" ", "Some latencies are ranges, because \(result.reasonOfRanges).", indent: 1, to: width)
      .map { paint($0, .faint) }
  }

  // MARK: what to run

  private static let longestCommand = 400
  private static let longestStep = 150
  private static let label = 14

  /// The commands, each on a line of its own so that it can be pasted, and what to do next.
  private func commands(_ linesEach: Int) -> [String] {
    let first = list.entries.first { $0.finding.severity == .error && $0.finding.evidence?.curl != nil }
    var lines: [String] = []
    func add(_ name: String, _ text: String) {
      lines.append(paint(name, .faint) + String(repeating: " ", count: max(Self.label - name.count, 1)) + text)
    }
    // Some findings are reproduced by the whole run.
    if let first, let curl = first.finding.evidence?.curl?.text, again == nil || !curl.hasPrefix("murphy ") {
      let script = "finding \(first.number) in the report has the script" + (report == nil ? " (--report FOLDER)" : "")
      add("Reproduce \(first.number)", curl.utf8.count > Self.longestCommand ? script : TerminalText.safe(curl))
    }
    if let again { add("Re-run", TerminalText.safe(again)) }
    if let report { add("Report", TerminalText.safe(report)) }
    if let next {
      add("Next", TerminalText.safe(next))
    } else if let advice, !advice.isEmpty {
      let head = paint("Next", .faint) + String(repeating: " ", count: Self.label - 4)
      lines += TerminalText.hang(head, advice, indent: Self.label, to: width, lines: max(linesEach, 2))
    }
    return lines
  }

  /// What to do next: for a failed run, the step of its state or of its first finding.
  private var advice: String? {
    let summary = VerdictSummary(result, checks, list)
    guard result.verdict == .fail, !summary.isSpecific, let first = list.entries.first?.finding,
      first.severity == .error
    else { return summary.advice }
    // Whole sentences, at least one.
    let remedy = first.kind.rule.plainRemedy
    guard remedy.count > Self.longestStep else { return remedy }
    let ends = remedy.ranges(of: ". ").map(\.lowerBound)
    let end = ends.last { remedy[..<$0].count < Self.longestStep } ?? ends.first
    return end.map { remedy[..<$0] + "." } ?? remedy
  }

  private var elsewhere: String { report == nil ? " (-v)" : " in the report" }

  // MARK: layout

  /// A row of at most this many lines; longer text is cut.
  ///
  /// - Parameter head: five columns.
  private func row(_ head: String, _ name: String?, _ column: Int, _ text: String, lines most: Int = 2) -> [String] {
    let lead = name.map { $0 + String(repeating: " ", count: max(column - TerminalText.columns($0), 0) + 2) } ?? ""
    return TerminalText.hang(head + lead, text, indent: 5 + TerminalText.columns(lead), to: width, lines: most)
  }

  private func paint(_ text: String, _ style: TerminalText.Style) -> String { TerminalText.paint(text, style, colour) }
}
