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

  private static let mostShown = 20

  /// Operations that might change data of others.
  private var skippedNotes: [String] {
    guard let skipped, !skipped.isEmpty else { return [] }
    let rows = skipped.prefix(Self.mostShown).map { "\($0.operation): \($0.reason)" }
    let rest = skipped.count - rows.count
    return ["No request of \(counted(skipped.count, "operation")) was sent; --operation NAME includes one:"] + rows
      + (rest > 0 ? ["and \(rest) more"] : [])
  }

  /// What was created and is still there.
  private var removalNotes: [String] {
    guard let deleted, deleted.of > 0 || remaining?.isEmpty == false else { return [] }
    let rows = (remaining ?? []).prefix(Self.mostShown)
    let rest = (remaining?.count ?? 0) - rows.count
    let sum =
      "\(deleted.done) of \(counted(deleted.of, "created item")) \(deleted.of == 1 ? "was" : "were") deleted again."
    return (deleted.of > 0 ? [sum] : [])
      + (rows.isEmpty ? [] : ["Not deleted:"] + rows + (rest > 0 ? ["and \(rest) more"] : []))
  }

  private static let briefly = 2

  /// What was decided, sent and left behind, in at most eight lines.
  var brief: [String] {
    let decided = operations.reduce(0) { $0 + $1.trials }
    let planned = operations.reduce(0) { $0 + ($1.decided?.of ?? $1.trials) }
    let sent = writes?.count ?? 0
    let figures = [
      "\(Figure.count(decided).text) of \(counted(planned, "case")) decided",
      sent > 0 ? "\(counted(sent, "write")) sent" : nil,
      deleted.flatMap { $0.of > 0 ? "\($0.done) of \(counted($0.of, "created item")) deleted" : nil },
      skipped.flatMap { $0.isEmpty ? nil : "\(counted($0.count, "operation")) not called" },
    ].compactMap(\.self)
    let left = (remaining ?? []).prefix(Self.briefly)
    let more = (remaining?.count ?? 0) - left.count
    return [figures.joined(separator: " · ")] + untried.prefix(Self.briefly)
      + left.map { "not deleted: \($0)" } + (more > 0 ? ["and \(more) more that are not deleted"] : [])
  }

  /// What was left out, and what counts for nothing.
  var notes: [String] {
    untried + skippedNotes + (writes?.lines ?? []) + removalNotes
      + (addresses.map {
        [
          "Requests came from \(counted($0, "address", "addresses")) of this machine, because a rate limit rejected some."
        ]
      } ?? [])
      + (unrepeated > 0
        ? ["\(counted(unrepeated, "suspicion")) did not come again when repeated, and count for nothing."] : [])
  }
}
