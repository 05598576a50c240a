import MurphyJSON
import MurphyModel

/// Rows of a file that sessions draw their data from: each session takes one when it begins.
package struct Feed: Sendable {
  package enum Order: String, Sendable, CaseIterable {
    /// In the file's order.
    case sequential
    /// Any row, each time anew.
    case random
    /// Every row once in a drawn order, then in another.
    case shuffled
  }

  package enum AtEnd: String, Sendable, CaseIterable {
    /// Begins again.
    case loop
    /// No further session that needs a row begins; it is counted as dropped.
    case stop
  }

  /// Whose turn takes the next row.
  package enum Unit: String, Sendable, CaseIterable {
    case session
    /// Each user keeps a row of its own.
    case user
  }

  package var name: String
  package var file: String
  package var rows: FeedRows
  package var order: Order
  package var atEnd: AtEnd
  package var per: Unit
  /// Where a session finds its row, an object by column.
  package var variable: Variable

  package init(
    name: String, file: String, rows: FeedRows, order: Order = .sequential, atEnd: AtEnd = .loop,
    per: Unit = .session, variable: Variable
  ) {
    self.name = name
    self.file = file
    self.rows = rows
    self.order = order
    self.atEnd = atEnd
    self.per = per
    self.variable = variable
  }
}

/// The rows of a feed, read once and shared by all loops.
package struct FeedRows: Sendable {
  package var columns: [String]
  package var rows: [JSONValue]

  package init(columns: [String], rows: [JSONValue]) {
    self.columns = columns
    self.rows = rows
  }

  package var count: Int { rows.count }
}
