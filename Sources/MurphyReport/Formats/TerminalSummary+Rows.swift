import MurphyModel

/// The rows of the checks: findings, undecided checks, and the counts of the rest.
extension TerminalSummary {
  private static let failedShown = 20
  private static let openShown = 6
  /// With more findings, fewer undecided checks are listed.
  private static let fewFindings = 6

  /// The errors, with at most so many lines for each, and the checks that failed without an error.
  func failed(_ linesEach: Int) -> [String] {
    let groups = AlikeFindings.grouped(errors) { TerminalText.safe(message($0)) }
    let names = groups.map { TerminalText.safe($0.range ?? subject($0.entries[0])) }
    let column = min(names.map(TerminalText.columns).max() ?? 0, 20)
    let rows = zip(groups, names).prefix(Self.failedShown).flatMap { group, name in
      let number = group.range == nil ? "\(group.entries[0].number)" : ""
      let head = String(repeating: " ", count: max(2 - number.count, 0)) + number + " " + paint("✗", .red) + " "
      return row(head, named: TerminalText.cut(name, to: column), column: column, texts(group), lines: linesEach)
    }
    let more = errors.count - groups.prefix(Self.failedShown).reduce(0) { $0 + $1.entries.count }
    let silent = checks.filter { $0.outcome == .failed && $0.findings.isEmpty }.prefix(Self.openShown).flatMap {
      row("   " + paint("✗", .red) + " ", ["\(TerminalText.safe($0.name)): \(TerminalText.safe($0.seenText))"])
    }
    return rows + (more > 0 ? ["   " + paint("and \(counted(more, "more finding"))\(elsewhere)", .faint)] : []) + silent
  }

  /// The text of a row, the longest first: where space is short, the additions are left out, the last one first.
  private func texts(_ group: AlikeFindings) -> [String] {
    let entry = group.entries[0]
    if group.range != nil {
      let count = group.entries.reduce(0) { $0 + $1.finding.count }
      return ["\(named(group.entries.map(subject), most: 8)): \(counted(count, "time")): \(group.message)"]
    }
    let broken = checks.filter { $0.outcome == .failed && $0.findings.contains(entry.number) }.map(\.name)
    let writes = entry.finding.evidence?.witness?.filter { !$0.isRead }.map(\.operation) ?? []
    let additions = [
      entry.chapter == .outage && broken.count > 1 ? "failed checks: \(named(broken, most: 3))" : nil,
      list.cause(of: entry.finding).map { "caused by finding \($0)" },
      writes.isEmpty ? nil : "writes: \(named(writes, most: 3))",
      place(entry.finding),
    ].compactMap { $0.map { TerminalText.safe(" (\($0))") } }
    let base = (share(entry).map { $0 + ": " } ?? "") + group.message
    let brief = (share(entry, namesStatus: false).map { $0 + ": " } ?? "") + group.message
    return (0...additions.count).reversed().map { base + additions.prefix($0).joined() }
      + [brief, AlikeFindings.withoutAside(brief)]
  }

  /// Some messages begin with the name that the row has.
  private func message(_ entry: FindingList.Entry) -> String {
    let (name, message) = (subject(entry), entry.finding.message)
    let start = [name + ": ", name + " "].first(where: message.hasPrefix) ?? ""
    return String(message.dropFirst(start.count))
  }

  /// Each name once: `a, b and 2 more`.
  private func named(_ names: [String], most: Int) -> String {
    let names = names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let more = names.count > most ? " and \(names.count - most) more" : ""
    return TerminalText.safe(names.prefix(most).joined(separator: ", ")) + more
  }

  func open(_ checks: [Check], _ linesEach: Int) -> [String] {
    if checks.count > 1, list.entries.first?.chapter == .outage {
      let names = named(checks.map { $0.family == .budget ? $0.name : $0.subject }, most: 3)
      return row(
        "   " + paint(checks[0].outcome.sign, .yellow) + " ",
        ["\(checks.count) checks (undecided): with the outage, the run has too little data: \(names)"], lines: linesEach
      )
    }
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
      return row("   " + paint(same[0].outcome.sign, .yellow) + " ", ["\(names)\(label): \(seen)"], lines: linesEach)
    }
    let more = rows.count - most
    return lines + (more > 0 ? ["   " + paint("and \(counted(more, "more undecided check"))\(elsewhere)", .faint)] : [])
  }

  /// The passed checks, the untested checks, and the contract coverage.
  var rest: [String] {
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
      idle.isEmpty ? nil : "optional, not tested: \(idle.joined(separator: " and "))\(listed)",
      warnings > 0 ? counted(warnings, "warning") : nil, notes > 0 ? counted(notes, "note") : nil,
      items > 0
        ? "\(result.coverage.seen.text) of \(items.text) contract elements exercised" : nil,
    ].compactMap(\.self)
    guard !parts.isEmpty else { return [] }
    return row(
      "   " + paint(saysPassed ? "✓" : "·", saysPassed ? .green : .faint) + " ", [parts.joined(separator: " · ")])
  }

  /// The baseline that the run was compared with, and the results that it was not compared with.
  var baseline: [String] {
    let lines = result.baselineLines.map(TerminalText.safe)
    guard !lines.isEmpty else { return [] }
    let aside = result.baselineDetails.isEmpty ? "" : listed
    return row("   " + paint("·", .faint) + " ", [lines.joined(separator: " ") + aside], lines: 4)
  }

  /// The operation of a finding; otherwise the subject of its check: a rate limit, `sessions`, the API.
  private func subject(_ entry: FindingList.Entry) -> String {
    if let operation = entry.finding.operation { return operation }
    if entry.chapter == .outage || entry.finding.isOfSeveralOperations { return "API" }
    let check = checks.first { $0.outcome == .failed && $0.findings.contains(entry.number) }
    guard let check else { return "run" }
    if let budget = check.row as? BudgetRow { return budget.subject }
    if check.family == .limit { return "limit \(check.subject)" }
    return check.family == .traffic ? "sessions" : check.subject
  }

  /// `214 of 8,435 responses`; nil if the message contains it.
  private func share(_ entry: FindingList.Entry, namesStatus: Bool = true) -> String? {
    let finding = entry.finding
    guard finding.count > 1 else { return nil }
    let count = finding.count.text
    if finding.isOfSeveralOperations { return "\(count) times" }
    // The message has the numbers of one occurrence.
    if [.state, .limit].contains(finding.kind.family) { return "\(count) times, for example" }
    if let status = finding.status, finding.kind != .contractStatus, finding.kind.family == .contract,
      let total = result.operations.first(where: { $0.operation == finding.operation })?.statuses
        .first(where: { $0.status == status })?.count, total >= finding.count
    {
      return "\(count) of \(counted(total, "response"))" + (namesStatus ? " with status \(status)" : "")
    }
    let check = checks.first { $0.family == .contract && $0.findings.contains(entry.number) }
    guard let trials = check?.trials, trials >= finding.count else { return "\(count) times" }
    return "\(count) of \(counted(trials, "response"))"
  }

  /// The line of the check in the contract or the scenario.
  private func place(_ finding: Finding) -> String? {
    (finding.evidence?.source ?? finding.expectation?.source).map { source in
      let file = source.file.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? source.file
      return "\(file):\(source.pointer.map { " \($0)" } ?? "\(source.line)")"
    }
  }

  /// A row of at most this many lines: the first of the texts that fits; otherwise the last one, cut.
  ///
  /// - Parameter head: five columns.
  func row(
    _ head: String, named name: String? = nil, column: Int = 0, _ texts: [String], lines most: Int = 2
  ) -> [String] {
    let lead = name.map { $0 + String(repeating: " ", count: max(column - TerminalText.columns($0), 0) + 2) } ?? ""
    let indent = 5 + TerminalText.columns(lead)
    let rows = texts.lazy.map { TerminalText.hang(head + lead, $0, indent: indent, to: width) }
    return rows.first { $0.count <= most }
      ?? TerminalText.hang(head + lead, texts.last ?? "", indent: indent, to: width, lines: most)
  }
}

/// Errors of one kind that follow each other and differ only in words with digits; a single error that no other equals.
struct AlikeFindings {
  var entries: [FindingList.Entry]
  /// The words of all; at a place with several words, as many of them as are short: `at most 2–59 others for 1s/60s`.
  var message: String

  private static let fewest = 3
  private static let longest = 24

  /// `findings 1 to 8`; nil for a single error.
  var range: String? {
    entries.count > 1 ? "findings \(entries[0].number) to \(entries[entries.count - 1].number)" : nil
  }

  /// The errors in their order.
  static func grouped(_ errors: [FindingList.Entry], by message: (FindingList.Entry) -> String) -> [AlikeFindings] {
    var runs: [[(entry: FindingList.Entry, message: String)]] = []
    for entry in errors {
      let message = message(entry)
      if let last = runs.last?.last, last.entry.finding.kind == entry.finding.kind, isAlike(last.message, message) {
        runs[runs.count - 1].append((entry, message))
      } else {
        runs.append([(entry, message)])
      }
    }
    return runs.flatMap { run in
      run.count < fewest
        ? run.map { AlikeFindings(entries: [$0.entry], message: $0.message) }
        : [AlikeFindings(entries: run.map(\.entry), message: common(run.map(\.message)))]
    }
  }

  private static func words(_ message: String) -> [Substring] { withoutAside(message).split(separator: " ") }

  private static func isAlike(_ left: String, _ right: String) -> Bool {
    let (left, right) = (words(left), words(right))
    return left.count == right.count
      && zip(left, right).allSatisfy { $0 == $1 || ($0.contains(where: \.isNumber) && $1.contains(where: \.isNumber)) }
  }

  private static func common(_ messages: [String]) -> String {
    let lines = messages.map(words)
    return lines[0].indices.map { index in
      let values = lines.map { $0[index] }.reduce(into: [Substring]()) { if !$0.contains($1) { $0.append($1) } }
      guard values.count > 1 else { return values.joined() }
      let bare = values.map { $0.last?.isPunctuation == true ? $0.dropLast() : $0 }
      // A status is a code.
      let isStatus = index > 0 && lines[0][index - 1].lowercased().hasPrefix("status")
      return ((isStatus ? nil : range(bare)) ?? shortened(bare).joined(separator: "/"))
        + values.suffix(1).map { $0.dropFirst(bare[bare.count - 1].count) }.joined()
    }.joined(separator: " ")
  }

  /// `2–59`: the range of several whole numbers; nil for other words.
  private static func range(_ values: [Substring]) -> String? {
    let numbers = values.compactMap { value in Int(String(value).replacingScalars(",", with: "")).map { ($0, value) } }
    guard numbers.count == values.count, let least = numbers.min(by: { $0.0 < $1.0 }),
      let most = numbers.max(by: { $0.0 < $1.0 })
    else { return nil }
    return "\(least.1)–\(most.1)"
  }

  /// At least the first value; an ellipsis stands for the values that do not fit.
  private static func shortened(_ values: [Substring]) -> [Substring] {
    var length = 0
    let shown = values.prefix { value in
      length += value.count + 1
      return length <= longest || length == value.count + 1
    }
    return shown.count < values.count ? shown + ["…"] : values
  }

  /// The message without the text in brackets at its end.
  static func withoutAside(_ text: String) -> String {
    guard text.hasSuffix(")") || text.hasSuffix(")."), let start = text.ranges(of: " (").last else { return text }
    return String(text[..<start.lowerBound])
  }
}
