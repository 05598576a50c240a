extension ReportTable {
  /// The head and the first rows in at most `width` columns: optional columns are omitted first, then words are cut.
  ///
  /// Empty without rows. Figures may be wider than a very narrow terminal.
  package func lines(width: Int, most: Int = .max, colour: Bool = false) -> [String] {
    guard !rows.isEmpty else { return [] }
    let cells = rows.prefix(most).map { row in row.map { TerminalText.safe($0.text) } }
    let layout = layout([columns.map(\.title)] + cells.filter { $0.count == columns.count }, width)
    var lines = [TerminalText.paint(line(columns.map(\.title), layout), .faint, colour)]
    for (row, cells) in zip(rows, cells) {
      lines.append(cells.count == columns.count ? line(cells, layout) : TerminalText.cut(cells[0], to: width))
      let indent = (cells.first?.prefix { $0 == " " }.count ?? 0) + 2
      let blank = String(repeating: " ", count: indent)
      for cell in row {
        lines += cell.lines.flatMap { TerminalText.wrap(TerminalText.safe($0), to: width - indent) }.map { blank + $0 }
        if let more = cell.more { lines.append(blank + TerminalText.paint(more, .faint, colour)) }
      }
    }
    return lines + (left(most).map { [TerminalText.paint("and \($0)", .faint, colour)] } ?? [])
  }

  private typealias Layout = [(column: Int, width: Int)]

  private static let narrowest = 8

  /// The columns that fit, and their widths.
  private func layout(_ rows: [[String]], _ width: Int) -> Layout {
    func isText(_ column: Int) -> Bool { columns[column].kind == .text }
    var layout = columns.indices.filter { columns[$0].kind != .note }.map { column in
      let widest = rows.map { TerminalText.columns($0[column]) }.max() ?? 0
      return (column: column, width: isText(column) ? min(widest, max(width, Self.narrowest)) : widest)
    }
    func isTooWide(cut: Bool = false) -> Bool {
      layout.reduce(-2) { $0 + 2 + (cut && isText($1.column) ? min($1.width, Self.narrowest) : $1.width) } > width
    }
    let victims = columns.indices.filter { columns[$0].spare != nil }
      .sorted { (columns[$0].spare ?? 0) < (columns[$1].spare ?? 0) }
    for victim in victims where isTooWide(cut: columns[victim].spare ?? 0 >= Column.late) {
      layout.removeAll { $0.column == victim }
    }
    while isTooWide() {
      let words = layout.indices.filter { isText(layout[$0].column) && layout[$0].width > Self.narrowest }
      guard let widest = words.max(by: { layout[$0].width < layout[$1].width }) else { break }
      layout[widest].width -= 1
    }
    return layout
  }

  private func line(_ cells: [String], _ layout: Layout) -> String {
    var line = layout.map { column, width in
      let text = TerminalText.cut(cells[column], to: width)
      let blank = String(repeating: " ", count: max(width - TerminalText.columns(text), 0))
      return columns[column].kind == .number ? blank + text : text + blank
    }.joined(separator: "  ")
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }
}
