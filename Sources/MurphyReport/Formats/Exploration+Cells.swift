import MurphyModel

extension Exploration {
  private static let categories = ["positive", "negative", "auth", "state", "pairs", "random"]

  private var used: [String] {
    Self.categories.filter { name in operations.contains { $0.cases[name, default: 0] > 0 } }
  }

  /// The columns of every table of what was tried; the last holds words, those before it figures.
  var columns: [String] { ["operation", "plain"] + used + ["constraints", "statuses"] }

  /// A row's cells behind the operation's name.
  func cells(_ row: ExploredOperation) -> [String] {
    [row.status == 0 ? "–" : String(row.status)] + used.map { Figure.count(row.cases[$0, default: 0]).text }
      + ["\(row.constraints.done)/\(row.constraints.of)", row.statuses.map(String.init).joined(separator: " ")]
  }

  /// What was left out, and what counts for nothing.
  var notes: [String] {
    untried
      + (unrepeated > 0
        ? ["\(counted(unrepeated, "suspicion")) did not come again when repeated, and count for nothing."] : [])
  }
}
