/// A table that becomes a list of cards on a narrow page; the roles keep its meaning when it does.
struct Table {
  struct Column {
    var title: String
    /// Right-aligned, in figures of equal width.
    var numeric = false

    static func text(_ title: String) -> Column { Column(title: title) }
    static func number(_ title: String) -> Column { Column(title: title, numeric: true) }
  }

  /// Said by screen readers, and not shown.
  var caption: String
  var columns: [Column]
  /// One cell per column; the first is the row's heading.
  var rows: [[Markup]]
  /// The rows' ids, where links lead to them; empty for none.
  var ids: [String] = []
  var style = ""

  var markup: Markup {
    element(.table, .class("rows \(style)"), Attribute("role", "table")) {
      element(.caption, .class("spoken"), text: caption)
      element(.thead, Attribute("role", "rowgroup")) {
        element(.tr, Attribute("role", "row")) {
          for column in columns {
            element(
              .th, .scope(.col), Attribute("role", "columnheader"), .class(column.numeric ? "n" : ""),
              text: column.title)
          }
        }
      }
      element(.tbody, Attribute("role", "rowgroup")) {
        for (index, row) in rows.enumerated() {
          let role = Attribute("role", "row")
          Markup.element(.tr, ids.isEmpty ? [role] : [role, .id(ids[index])], .group(cells(row)))
        }
      }
    }
  }

  private func cells(_ row: [Markup]) -> [Markup] {
    zip(columns, row).enumerated().map { index, pair in
      let (column, content) = pair
      let name = Attribute.class(column.numeric ? "n" : "")
      if index == 0 { return element(.th, .scope(.row), Attribute("role", "rowheader"), name) { content } }
      return element(.td, Attribute("role", "cell"), name, Attribute("data-label", column.title)) { content }
    }
  }
}
