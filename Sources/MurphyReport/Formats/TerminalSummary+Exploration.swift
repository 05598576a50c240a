import MurphyModel

extension TerminalSummary {
  /// What was tried of each operation, and what was not.
  func explored(_ exploration: Exploration) -> [String] {
    let categories = ["positive", "negative", "auth", "state", "pairs", "random"]
    let used = categories.filter { name in exploration.operations.contains { $0.cases[name, default: 0] > 0 } }
    let rows = exploration.operations.map { row in
      [TerminalText.safe(row.operation), row.status == 0 ? "–" : String(row.status)]
        + used.map { Figure.count(row.cases[$0, default: 0]).text }
        + ["\(row.constraints.done)/\(row.constraints.of)", row.statuses.map(String.init).joined(separator: " ")]
    }
    let table = TerminalTable(
      header: ["operation", "plain"] + used + ["constraints", "statuses"], rows: rows,
      dispensable: [used.count + 3, used.count + 2])
    var lines = table.lines(width: width)
    if let first = lines.first { lines[0] = paint(first, .faint) }
    let notes =
      exploration.untried
      + (exploration.unrepeated > 0
        ? ["\(counted(exploration.unrepeated, "suspicion")) did not come again when repeated, and count for nothing."]
        : [])
    return lines + notes.flatMap { TerminalText.wrap(TerminalText.safe($0), to: width) }
  }
}
