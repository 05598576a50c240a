import MurphyModel

/// What a run prints when it ends: a row per operation, the findings worst first, the promises, and last the verdict.
public struct TerminalSummary: Sendable {
  public let result: RunResult
  /// Columns of the terminal.
  public let width: Int
  /// Whether escape sequences for colours may be used (ECMA-48, 8.3.117).
  public let colour: Bool

  public init(_ result: RunResult, width: Int = 80, colour: Bool = false) {
    self.result = result
    self.width = min(max(width, 40), 200)
    self.colour = colour
  }

  private static let operationsShown = 60
  private static let findingsShown = 12
  private static let promisesShown = 20

  /// The lines; the last one is the verdict's word alone.
  public var text: String {
    [operations, statuses, sessions, repeats, findings, promises, reasons].filter { !$0.isEmpty }
      .map { $0.joined(separator: "\n") + "\n\n" }.joined() + verdict + "\n"
  }

  private var operations: [String] {
    let called = result.calledOperations
    guard !called.isEmpty else { return [] }
    let rows = called.prefix(Self.operationsShown).map { operation in
      let outcomes = operation.outcomes
      let failed = outcomes.clientError + outcomes.serverError + outcomes.transport
      return [
        TerminalText.safe(operation.operation), Figure.count(operation.requests).text,
        Figure.digits(operation.throughput), Figure.count(outcomes.limited).text, Figure.count(failed).text,
      ]
        + (operation.shownLatency?.all.map(Figure.interval) ?? Array(repeating: "–", count: 4))
    }
    let table = TerminalTable(
      header: ["operation", "requests", "/s", "limited", "failed", "p50", "p95", "p99", "max"], rows: rows,
      dispensable: [8, 2, 3, 5, 7, 4, 1])
    let lines = table.lines(width: width)
    let cut = called.count - rows.count
    let rest = cut > 0 ? [paint("and \(counted(cut, "more operation"))", .faint)] : []
    let unanswered = called.prefix(Self.operationsShown).compactMap(\.unansweredText)
      .flatMap { TerminalText.wrap(TerminalText.safe($0), to: width) }
    return [paint(lines[0], .faint)] + lines.dropFirst() + rest + unanswered
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

  /// Nothing is sent twice in silence.
  private var repeats: [String] {
    result.ledger.repeated > 0 ? TerminalText.wrap(result.ledger.repeatSentence, to: width) : []
  }

  private var findings: [String] {
    let shown = result.findings.prefix(Self.findingsShown)
    var lines = shown.flatMap { finding in
      let sign = paint(finding.severity.rawValue, finding.severity == .error ? .boldRed : .boldYellow)
      let subject = [finding.operation, finding.kind].compactMap { $0 }.map(TerminalText.safe).joined(separator: " ")
      let threshold = finding.loadThreshold.map { ", \($0)" } ?? ""
      return ["\(sign) \(paint(TerminalText.cut(subject, to: width - 8), .bold))"]
        + indented("\(TerminalText.safe(finding.message)) (\(finding.occurrence)\(threshold))")
    }
    let cut = result.findings.count - shown.count
    if cut > 0 { lines.append(paint("and \(counted(cut, "more finding")) in the report", .faint)) }
    return lines
  }

  private var promises: [String] {
    let all = result.promises
    let open = all.filter { $0.outcome != .kept && $0.outcome != .untested }
    let kept = all.count { $0.outcome == .kept }
    let untested = all.filter { $0.outcome == .untested }
    var lines = lines(open)
    if kept > 0 { lines.append(paint("✓ kept", .green) + "     \(counted(kept, "promise"))") }
    return lines + self.lines(untested)
  }

  private func lines(_ promises: [Promise]) -> [String] {
    var lines = promises.prefix(Self.promisesShown).flatMap { promise in
      let style: TerminalText.Style =
        promise.outcome == .broken ? .red : promise.outcome == .untested ? .faint : .yellow
      let label = promise.outcome.sign + " " + promise.outcome.word
      let blank = String(repeating: " ", count: max(10 - TerminalText.columns(label), 0))
      let indent = TerminalText.columns(label + blank) + 1
      let words = TerminalText.wrap(
        "\(TerminalText.safe(promise.name)): \(TerminalText.safe(promise.sentence))", to: width - indent)
      return words.enumerated().map { index, words in
        index == 0 ? paint(label, style) + blank + " " + words : String(repeating: " ", count: indent) + words
      }
    }
    let cut = promises.count - Self.promisesShown
    if cut > 0 { lines.append(paint("and \(cut) more", .faint)) }
    return lines
  }

  /// What the promises above do not say already.
  private var reasons: [String] {
    let promises = result.promises
    if result.verdict == .fail, promises.contains(where: { $0.outcome == .broken }) { return [] }
    let said = promises.map(\.sentence).joined(separator: "\n")
    return result.reasons.prefix(8).filter { reason in
      !said.contains(reason.withoutFullStop)
        && !promises.contains { !$0.sentence.isEmpty && reason.hasSuffix($0.sentence) }
    }
    .flatMap { indented(TerminalText.safe($0)) }
  }

  private var verdict: String {
    switch result.verdict {
    case .pass: paint(result.verdict.word, .boldGreen)
    case .fail: paint(result.verdict.word, .boldRed)
    case .invalid, .noData: paint(result.verdict.word, .boldYellow)
    }
  }

  private func indented(_ text: String) -> [String] { TerminalText.wrap(text, to: width - 2).map { "  " + $0 } }

  private func paint(_ text: String, _ style: TerminalText.Style) -> String {
    colour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
