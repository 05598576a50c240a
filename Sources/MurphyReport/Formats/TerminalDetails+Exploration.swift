import MurphyModel

extension TerminalDetails {
  /// What was tried of each operation, and what was not.
  func explored(_ exploration: Exploration) -> [String] {
    let columns = exploration.columns
    let table = TerminalTable(
      header: columns,
      rows: exploration.operations.map { [TerminalText.safe($0.operation)] + exploration.cells($0) },
      dispensable: [columns.count - 1, columns.count - 2])
    var lines = table.lines(width: width)
    if let first = lines.first { lines[0] = paint(first, .faint) }
    return lines + exploration.notes.flatMap { TerminalText.wrap(TerminalText.safe($0), to: width) }
  }
}
