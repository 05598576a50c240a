import MurphyModel

/// All that a run prints where somebody asked for it (`-v`): a row per operation, the sessions, the findings in the order
/// in which a person needs them, the promises that are not kept, what to do, and last the verdict. `TerminalSummary` prints
/// the decision alone.
public struct TerminalDetails: Sendable {
  package let result: RunResult
  /// Columns of the terminal.
  package let width: Int
  /// Whether escape sequences for colours may be used (ECMA-48, 8.3.117).
  package let colour: Bool

  /// Whether a report was written, so that it may be named.
  private let hasReport: Bool

  /// A summary `width` columns wide, with colours of the terminal or without.
  public init(_ result: RunResult, width: Int = 80, colour: Bool = false, hasReport: Bool = false) {
    self.hasReport = hasReport
    self.result = result
    self.width = min(max(width, 40), 200)
    self.colour = colour
  }

  private static let operationsShown = 60
  private static let findingsShown = 12
  private static let promisesShown = 20

  /// The lines; the last one is the verdict's word alone.
  public var text: String {
    let tables =
      result.explored.map { [explored($0)] } ?? [
        operations, latency, tags, statuses, sessions, fixtures, shards, generator,
      ]
    return (tables + [repeats, findings, reproduction, promises, decision]).filter { !$0.isEmpty }
      .map { $0.joined(separator: "\n") + "\n\n" }.joined() + verdict + "\n"
  }

  /// What became of the requests of each operation; figures that are 0 everywhere have no column.
  private var operations: [String] {
    let called = result.calledOperations
    let shown = called.prefix(Self.operationsShown)
    guard !shown.isEmpty else { return [] }
    let names = RequestEnds().shown.map(\.name)
    let used = names.indices.filter { index in
      index == 0 || shown.contains { $0.shownEnds.map { $0[index].count > 0 } ?? true }
    }
    let rows = shown.map { operation in
      [TerminalText.safe(operation.operation), Figure.count(operation.requests).text]
        + used.map { index in operation.shownEnds.map { Figure.count($0[index].count).text } ?? "–" }
    }
    let lines = TerminalTable(header: ["operation", "requests"] + used.map { names[$0] }, rows: rows).lines(
      width: width)
    let cut = called.count - rows.count
    guard lines.allSatisfy({ TerminalText.columns($0) <= width }) else { return shown.flatMap(endsInWords) }
    return [paint(lines[0], .faint)] + lines.dropFirst()
      + (cut > 0 ? [paint("and \(counted(cut, "more operation"))", .faint)] : [])
  }

  /// `listLaws  363 requests: 313 violating, 50 unanswered`, where a table has no room.
  private func endsInWords(_ operation: OperationResult) -> [String] {
    let ends = operation.shownEnds?.filter { $0.count > 0 }.map { "\(Figure.count($0.count).text) \($0.name)" } ?? []
    return named(
      operation.operation, "\(counted(operation.requests, "request")): \(ends.joined(separator: ", "))",
      column: min(TerminalText.columns(operation.operation), width / 2))
  }

  private var latency: [String] {
    let shown = result.calledOperations.prefix(Self.operationsShown)
    guard !shown.isEmpty else { return [] }
    let rows = shown.map { operation in
      [TerminalText.safe(operation.operation), Figure.digits(operation.throughput)]
        + (operation.shownLatency?.all.map(Figure.interval) ?? Array(repeating: "–", count: 4))
    }
    let lines = TerminalTable(
      header: ["latency", "answers/s", "p50", "p95", "p99", "max"], rows: rows, dispensable: [5, 1, 4, 2]
    ).lines(width: width)
    let unanswered = shown.compactMap(\.unansweredText)
      .flatMap { TerminalText.wrap(TerminalText.safe($0), to: width) }
    return [paint(lines[0], .faint)] + lines.dropFirst() + unanswered + phases
  }

  /// Where the service time of all answers went.
  private var phases: [String] {
    let words = PhaseShare.words(of: result.calledOperations)
    return words.isEmpty ? [] : TerminalText.wrap("service time: \(words)", to: width)
  }

  /// A line for each tag.
  private var tags: [String] {
    guard let tags = result.tags, !tags.isEmpty else { return [] }
    let lines = TerminalTable(
      header: TagResult.columns, rows: tags.map { [TerminalText.safe($0.tag)] + $0.figures }, dispensable: [6, 3, 5]
    ).lines(width: width)
    return [paint(lines[0], .faint)] + lines.dropFirst()
  }

  /// What the requests of each operation ended with.
  private var statuses: [String] {
    let called = result.calledOperations.prefix(Self.operationsShown)
    guard !called.isEmpty else { return [] }
    let width = min(called.map { TerminalText.columns($0.operation) }.max() ?? 0, self.width / 2)
    return [paint("statuses", .faint)]
      + called.flatMap { named($0.operation, TerminalText.safe($0.endings), column: width) }
  }

  /// A line for each kind of session, and below it why its sessions ended early.
  private var sessions: [String] {
    guard !result.sessions.isEmpty else { return [] }
    let table = TerminalTable(
      header: ["session", "began", "completed", "left", "failed", "unfinished"],
      rows: result.sessions.map { session in
        [TerminalText.safe(session.session)]
          + [session.started, session.completed, session.leftTotal, session.failedTotal, session.unfinished]
          .map { Figure.count($0).text }
      }, dispensable: [3, 5, 1])
    let lines = table.lines(width: width)
    return [paint(lines[0], .faint)]
      + zip(lines.dropFirst(), result.sessions).flatMap { line, session in [line] + reasons(session) }
  }

  private static let reasonsShown = 8

  private func reasons(_ session: SessionResult) -> [String] {
    let ends = session.earlyEnds
    let cut = ends.count - Self.reasonsShown
    return ends.prefix(Self.reasonsShown).flatMap { indented(TerminalText.safe($0)) }
      + (cut > 0 ? ["  " + paint("and \(counted(cut, "more reason"))", .faint)] : [])
  }

  /// A name and what belongs to it, wrapped behind the name.
  private func named(_ name: String, _ text: String, column: Int) -> [String] {
    let name = TerminalText.cut(TerminalText.safe(name), to: column)
    let gap = String(repeating: " ", count: max(column - TerminalText.columns(name), 0) + 2)
    return TerminalText.wrap(text, to: max(width - column - 2, 12)).enumerated().map { index, words in
      (index == 0 ? name + gap : String(repeating: " ", count: column + 2)) + words
    }
  }

  private var fixtures: [String] {
    result.run.fixtures.flatMap { TerminalText.wrap(TerminalText.safe($0), to: width) }
  }

  private var shards: [String] {
    let lines = result.run.shardLines
    return lines.isEmpty
      ? [] : [paint("shards", .faint)] + lines.flatMap { TerminalText.wrap(TerminalText.safe($0), to: width) }
  }

  /// How murphy itself fared: whether these figures can be trusted.
  private var generator: [String] {
    result.ledger.planned == 0
      ? [] : [paint("generator", .faint)] + TerminalText.wrap(result.generator.figures, to: width)
  }

  /// Nothing is sent twice, or left unsent, in silence.
  private var repeats: [String] {
    ([result.ledger.repeated > 0 ? result.ledger.repeatSentence : nil].compactMap(\.self) + result.sideNotes)
      .flatMap { TerminalText.wrap(TerminalText.safe($0), to: width) }
  }

  private var findings: [String] {
    // An exploration sees too much of a contract for its notes to be of use here.
    let all = result.findingList.entries
    let entries = all.filter { result.explored == nil || $0.finding.severity > .note }
    var lines = entries.prefix(Self.findingsShown).flatMap { entry in
      let finding = entry.finding
      let sign = paint(finding.severity.rawValue, finding.severity == .error ? .boldRed : .boldYellow)
      let subject = [finding.operation, finding.kind.rawValue].compactMap { $0 }.map(TerminalText.safe).joined(
        separator: " ")
      let threshold = finding.loadThreshold.map { ", \($0)" } ?? ""
      return ["\(entry.number). \(sign) \(paint(TerminalText.cut(subject, to: width - 12), .bold))"]
        + indented("\(TerminalText.safe(finding.message)) (\(finding.occurrence)\(threshold))") + witness(finding)
    }
    let cut = all.count - min(entries.count, Self.findingsShown)
    let notes = all.count - entries.count
    if cut > 0 {
      let what = counted(cut, "more finding") + (notes > 0 ? ", of which \(counted(notes, "note"))" : "")
      lines.append(paint("and \(what)\(elsewhere)", .faint))
    }
    return lines
  }

  private var elsewhere: String { hasReport ? " in the report" : "" }

  private static let commandsShown = 3
  private static let longestCommand = 600

  /// The commands of the first errors, each whole on a line of its own: it is to be pasted. A long one is in the report,
  /// where there is one.
  private var reproduction: [String] {
    let errors = result.findingList.entries.filter { $0.finding.severity == .error && $0.finding.evidence?.curl != nil }
    return errors.prefix(Self.commandsShown).map { entry in
      let curl = entry.finding.evidence?.curl?.text ?? ""
      let isLong = hasReport && curl.count > Self.longestCommand
      return paint("reproduce \(entry.number)", .faint) + "  "
        + (isLong ? "a script of \(curl.count) characters, in the report" : TerminalText.safe(curl))
    }
  }

  private static let exchangesShown = 6

  /// The first of the exchanges that prove a finding of the state judge, and what would explain it.
  private func witness(_ finding: Finding) -> [String] {
    let lines = finding.witnessLines
    guard !lines.isEmpty else { return [] }
    let cut = lines.count - Self.exchangesShown
    let rest = cut > 0 ? ["  " + paint("and \(counted(cut, "more exchange"))\(elsewhere)", .faint)] : []
    func wrapped(_ lines: some Sequence<String>) -> [String] { lines.flatMap { indented(TerminalText.safe($0)) } }
    return wrapped(lines.prefix(Self.exchangesShown)) + rest + wrapped(finding.remarks)
  }

  private var promises: [String] {
    let all = result.promises
    let kept = all.keptCount
    var lines = lines(all.open)
    if kept > 0 {
      let fewest = all.weakest.flatMap { weakest in
        weakest.trialsText.map { "; fewest trials: \($0) of \(TerminalText.safe(weakest.name))" }
      }
      let words = TerminalText.wrap(counted(kept, "check") + (fewest ?? ""), to: width - 11)
      lines += words.enumerated().map { index, words in
        (index == 0 ? paint("✓ passed", .green) + "   " : String(repeating: " ", count: 11)) + words
      }
    }
    for (index, line) in result.strengthLines.enumerated() {
      let words = TerminalText.wrap(TerminalText.safe(line), to: width - 11)
      lines += words.enumerated().map { part, words in
        (index == 0 && part == 0 ? paint("  strength", .faint) + " " : String(repeating: " ", count: 11)) + words
      }
    }
    return lines + self.lines(all.untested)
  }

  private func lines(_ promises: [Promise]) -> [String] {
    let rows = Promise.rows(promises)
    var lines = rows.prefix(Self.promisesShown).flatMap { row in
      let promise = row[0]
      let style: TerminalText.Style =
        promise.outcome == .broken ? .red : promise.outcome == .untested ? .faint : .yellow
      let label = promise.outcome.sign + " " + promise.outcome.word
      let blank = String(repeating: " ", count: max(10 - TerminalText.columns(label), 0))
      let indent = TerminalText.columns(label + blank) + 1
      let names = row.map { TerminalText.safe($0.name) }.joined(separator: "; ")
      let words = TerminalText.wrap(
        "\(names): \(TerminalText.safe(promise.seenText))\(Self.numbers(promise.findings))", to: width - indent)
      return words.enumerated().map { index, words in
        index == 0 ? paint(label, style) + blank + " " + words : String(repeating: " ", count: indent) + words
      }
    }
    let cut = rows.count - Self.promisesShown
    if cut > 0 { lines.append(paint("and \(cut) more", .faint)) }
    return lines
  }

  /// ` (findings 1, 4)`
  private static func numbers(_ findings: [Int]) -> String {
    if findings.isEmpty { return "" }
    let shown = findings.prefix(8).map(String.init).joined(separator: ", ")
    return " (\(findings.count == 1 ? "finding" : "findings") \(shown)\(findings.count > 8 ? " …" : ""))"
  }

  /// The answer, what decided it where no promise above says so, and what to do.
  private var decision: [String] {
    let decision = Decision(result)
    let unsaid =
      result.ledger.contradictions + decision.lines.filter { $0.links.isEmpty && $0.section == nil }.map(\.text)
    return TerminalText.wrap(TerminalText.safe(result.answer), to: width)
      + unsaid.flatMap { indented(TerminalText.safe($0)) }
      + (decision.advice.map { TerminalText.wrap(TerminalText.safe($0), to: width) } ?? [])
  }

  private var verdict: String { TerminalText.verdict(result.verdict, colour: colour) }

  private func indented(_ text: String) -> [String] { TerminalText.wrap(text, to: width - 2).map { "  " + $0 } }

  func paint(_ text: String, _ style: TerminalText.Style) -> String { TerminalText.paint(text, style, colour) }
}
