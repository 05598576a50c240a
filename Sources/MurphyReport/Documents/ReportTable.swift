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
    static func count(_ count: Int) -> Cell { Cell(Figure.count(count).text) }
    static func name(_ name: String) -> Cell { Cell(name, markup: element(.span, .class("name"), text: name)) }

    /// A latency, in milliseconds if the title has that unit; nil for none.
    static func latency(_ interval: LatencyInterval?, markup: Markup? = nil) -> Cell {
      Cell(
        interval.map(Figure.interval) ?? "–", bare: interval.map { Figure.milliseconds($0) } ?? "–", markup: markup)
    }

    static func latency(_ microseconds: Double?) -> Cell {
      latency(microseconds.map { LatencyInterval(low: $0, high: $0) })
    }

    private static let linesShown = 8

    /// The first sentences, and the number of omitted ones.
    static func list(_ lines: [String], _ noun: String) -> Cell {
      let more = lines.count > linesShown ? "and \(counted(lines.count - linesShown, "more \(noun)"))" : nil
      return Cell("", lines: Array(lines.prefix(linesShown)), more: more)
    }
  }
}
