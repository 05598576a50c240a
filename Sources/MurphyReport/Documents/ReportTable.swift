import MurphyModel

/// A table as data: built once for each subject, and rendered for a terminal, in Markdown and in HTML.
package struct ReportTable: Sendable {
  /// A column with its heading.
  package struct Column: Sendable {
    /// The alignment and the format of a column.
    package enum Kind: Sendable {
      /// Words, aligned left; a narrow terminal cuts them.
      case text
      /// Figures, aligned right and never cut.
      case number
      /// Sentences: on a terminal they are below their row.
      case note
    }

    package var title: String
    package var kind: Kind
    /// The unit of all figures. Markdown and HTML show it once, in the title; a terminal shows it with each figure.
    package var unit = ""
    /// On a narrow terminal the column with the lowest number is omitted first. Nil for a column that is always shown.
    package var spare: Int?
    /// Columns from this number on are omitted only if cutting words does not free enough space.
    static let late = 100

    /// Aligned to the left.
    package static func text(_ title: String, spare: Int? = nil) -> Column {
      Column(title: title, kind: .text, spare: spare)
    }
    /// Aligned to the right.
    package static func number(_ title: String, unit: String = "", spare: Int? = nil) -> Column {
      Column(title: title, kind: .number, unit: unit, spare: spare)
    }
    package static func note(_ title: String) -> Column { Column(title: title, kind: .note) }

    var heading: String { unit.isEmpty ? title : "\(title) \(unit)" }
  }

  /// Read by screen readers, and not shown.
  package var caption = ""
  package var columns: [Column]
  /// One cell per column; the first is the row's heading. A row of a single cell is a heading over all columns.
  package var rows: [[Cell]]
  /// The rows' ids in HTML, where links lead to them; empty for none.
  package var ids: [String] = []
  /// Its class in HTML.
  package var style = ""
  /// The noun for a row, in the line that counts omitted rows.
  package var noun = "row"

  package init(
    _ caption: String = "", _ columns: [Column], _ rows: [[Cell]], style: String = "", noun: String = "row"
  ) {
    (self.caption, self.columns, self.rows) = (caption, columns, rows)
    (self.style, self.noun) = (style, noun)
  }

  /// The columns with these titles, in this order.
  func picking(_ titles: [String]) -> ReportTable {
    let places = titles.compactMap { title in columns.firstIndex { $0.title == title } }
    var table = self
    table.columns = places.map { columns[$0] }
    table.rows = rows.map { row in places.map { row[$0] } }
    return table
  }

  /// With another title over its first column.
  func titled(_ title: String) -> ReportTable {
    var table = self
    table.columns[0].title = title
    return table
  }

  /// With the columns of another table of the same rows after its own.
  func beside(_ other: ReportTable) -> ReportTable {
    var table = self
    table.columns += other.columns
    table.rows = zip(rows, other.rows).map { $0 + $1 }
    return table
  }

  /// `3 more operations`, for the rows beyond `most`; nil if there are none.
  func left(_ most: Int) -> String? { rows.count > most ? counted(rows.count - most, "more \(noun)") : nil }
}

extension ReportTable {
  /// One value of a row.
  package struct Cell: Sendable, ExpressibleByStringLiteral {
    package var text = ""
    /// The figure alone, for a column with the unit in its title; nil for the text.
    package var bare: String?
    /// Sentences that belong to it.
    package var lines: [String] = []
    /// The number of omitted sentences, in words.
    package var more: String?
    /// The content in HTML; nil for the text and the sentences.
    package var markup: Markup?

    package init(
      _ text: String, bare: String? = nil, lines: [String] = [], more: String? = nil, markup: Markup? = nil
    ) {
      (self.text, self.bare, self.lines, self.more, self.markup) = (text, bare, lines, more, markup)
    }

    package init(stringLiteral text: String) { self.init(text) }

    /// Escaped when the table is rendered.
    package static func text(_ text: String) -> Cell { Cell(text) }
    static func count(_ count: Int) -> Cell { Cell(count.text) }
    static func name(_ name: String) -> Cell { Cell(name, markup: element(.span, .class("name"), text: name)) }

    /// A latency, in milliseconds if the title has that unit; nil for none.
    static func latency(_ interval: LatencyInterval?, markup: Markup? = nil) -> Cell {
      Cell(
        interval.map(Figure.interval) ?? "–", bare: interval.map { Figure.milliseconds($0) } ?? "–", markup: markup)
    }

    static func latency(_ time: Duration?) -> Cell { latency(time.map { LatencyInterval(low: $0, high: $0) }) }

    private static let linesShown = 8

    /// The first sentences, and the number of omitted ones.
    static func list(_ lines: [String], _ noun: String) -> Cell {
      let more = lines.count > linesShown ? "and \(counted(lines.count - linesShown, "more \(noun)"))" : nil
      return Cell("", lines: Array(lines.prefix(linesShown)), more: more)
    }
  }
}

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
