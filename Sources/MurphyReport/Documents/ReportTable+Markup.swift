extension ReportTable {
  /// An HTML table that becomes a list of cards on a narrow page; the roles keep its meaning.
  package var markup: Markup { markup(most: .max) }

  /// The first rows, and below them the number of omitted rows.
  func markup(most: Int) -> Markup {
    .group([
      element(.table, .class("rows \(style)"), Attribute("role", "table")) {
        element(.caption, .class("spoken"), text: caption)
        element(.thead, Attribute("role", "rowgroup")) {
          element(.tr, Attribute("role", "row")) {
            for column in columns {
              element(.th, .scope(.col), Attribute("role", "columnheader"), column.style, text: column.heading)
            }
          }
        }
        element(.tbody, Attribute("role", "rowgroup")) {
          for (index, row) in rows.prefix(most).enumerated() {
            let role = Attribute("role", "row")
            Markup.element(.tr, ids.isEmpty ? [role] : [role, .id(ids[index])], .group(cells(row)))
          }
        }
      },
      left(most).map { element(.p, .class("cut"), text: "and \($0)") } ?? .nothing,
    ])
  }

  private func cells(_ row: [Cell]) -> [Markup] {
    zip(columns, row).enumerated().map { index, pair in
      let (column, cell) = pair
      let content = cell.markup(in: column)
      if index == 0 { return element(.th, .scope(.row), Attribute("role", "rowheader"), column.style) { content } }
      return element(.td, Attribute("role", "cell"), column.style, Attribute("data-label", column.heading)) { content }
    }
  }
}

extension ReportTable.Column {
  /// Figures have equal widths.
  fileprivate var style: Attribute { .class(kind == .number ? "n" : "") }
}

extension ReportTable.Cell {
  /// Without its unit if the title of the column contains it.
  func value(in column: ReportTable.Column) -> String { column.unit.isEmpty ? text : bare ?? text }

  fileprivate func markup(in column: ReportTable.Column) -> Markup {
    markup
      ?? .group(
        [.text(value(in: column))] + lines.map { element(.div, text: $0) }
          + [more.map { element(.small, text: $0) } ?? .nothing])
  }
}

extension ReportTable {
  /// In GitHub Flavored Markdown; every cell is escaped. The number of omitted rows follows.
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
