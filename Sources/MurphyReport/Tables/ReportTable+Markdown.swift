extension ReportTable {
  /// In GitHub Flavored Markdown; every cell is escaped. Below it stands how many rows are left out.
  package func markdown(most: Int = .max) -> String {
    let marks = columns.map { $0.kind == .number ? "---:" : "---" }.joined(separator: "|")
    let lines =
      [Self.line(columns.map(\.heading)), "|\(marks)|"]
      + rows.prefix(most).map { row in
        Self.line(zip(columns, row).map { column, cell in MarkdownText.plain(cell.words(in: column)) })
      }
    return (lines + (rows.count > most ? ["", "…and \(rows.count - most) more."] : [])).joined(separator: "\n")
  }

  private static func line(_ cells: [String]) -> String {
    "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
  }
}

extension ReportTable.Cell {
  /// The figure, then the sentences.
  fileprivate func words(in column: ReportTable.Column) -> String {
    let sentences = (lines + [more].compactMap(\.self)).joined(separator: "; ")
    return [value(in: column), sentences].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
