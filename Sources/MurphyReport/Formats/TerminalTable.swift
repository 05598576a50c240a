/// Rows in aligned columns; the first is a name on the left, the others are numbers on the right.
struct TerminalTable {
  var header: [String]
  var rows: [[String]]
  /// Columns that may go first when the terminal is narrow, the most dispensable first.
  var dispensable: [Int] = []

  /// The lines in at most `width` columns: first columns are left out, then names are cut.
  func lines(width: Int) -> [String] {
    var shown = Array(header.indices)
    var left = dispensable
    while total(shown) > width, let victim = left.first {
      left.removeFirst()
      shown.removeAll { $0 == victim }
    }
    let room = max(width - (total(shown) - columnWidth(0)), 8)
    return ([header] + rows).map { row in
      shown.map { column in
        column == 0
          ? pad(TerminalText.cut(row[0], to: room), to: min(columnWidth(0), room), atEnd: true)
          : pad(row[column], to: columnWidth(column), atEnd: false)
      }.joined(separator: "  ").trimmingEnd
    }
  }

  private func columnWidth(_ column: Int) -> Int {
    ([header] + rows).map { TerminalText.columns($0[column]) }.max() ?? 0
  }
  private func total(_ columns: [Int]) -> Int { columns.reduce(0) { $0 + columnWidth($1) } + 2 * (columns.count - 1) }

  private func pad(_ text: String, to width: Int, atEnd: Bool) -> String {
    let blank = String(repeating: " ", count: max(width - TerminalText.columns(text), 0))
    return atEnd ? text + blank : blank + text
  }
}

extension String {
  /// Without spaces at its end.
  fileprivate var trimmingEnd: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
