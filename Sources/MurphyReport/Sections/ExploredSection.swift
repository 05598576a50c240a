import MurphyModel

extension Exploration {
  private static let mostShown = 20

  /// Operations that might change data of other users.
  private var skippedNotes: [String] {
    guard let skipped, !skipped.isEmpty else { return [] }
    return ["No request of \(counted(skipped.count, "operation")) was sent; --operation NAME includes one:"]
      + skipped.map { "\($0.operation): \($0.reason)" }.first(Self.mostShown)
  }

  /// Items that were created and still exist.
  private var removalNotes: [String] {
    guard let deleted, deleted.of > 0 || remaining?.isEmpty == false else { return [] }
    let rows = (remaining ?? []).first(Self.mostShown)
    let sum =
      "\(deleted.done) of \(counted(deleted.of, "created item")) \(deleted.of == 1 ? "was" : "were") deleted."
    return (deleted.of > 0 ? [sum] : []) + (rows.isEmpty ? [] : ["Not deleted:"] + rows)
  }

  private static let briefly = 2

  /// The decided, sent and remaining parts, in at most eight lines.
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
    return [figures.joined(separator: " · ")] + untried.prefix(Self.briefly)
      + (remaining ?? []).map { "not deleted: \($0)" }.first(Self.briefly) { "and \($0) more" }
  }

  /// The omitted cases, and the ignored results.
  var notes: [String] {
    untried + skippedNotes + (writes?.lines ?? []) + removalNotes
      + (addresses.map {
        [
          "Requests came from \(counted($0, "address", "addresses")) of this machine, because a rate limit rejected some."
        ]
      } ?? [])
      + (unrepeated > 0
        ? [
          "\(counted(unrepeated, "suspected problem")) could not be reproduced and \(unrepeated == 1 ? "is" : "are") ignored."
        ]
        : [])
  }
}

extension ReportTable {
  private static let categories = ["positive", "negative", "auth", "state", "pairs", "random"]

  /// The cases of each operation.
  static func explored(_ exploration: Exploration) -> ReportTable {
    let used = categories.filter { name in exploration.operations.contains { $0.cases[name, default: 0] > 0 } }
    return ReportTable(
      "Cases by operation",
      [.text("operation"), .number("plain")] + used.map { .number($0) }
        + [.number("constraints", spare: 1), .text("statuses", spare: 0)],
      exploration.operations.map { row in
        [
          Cell(row.operation, markup: element(.code, text: row.operation)),
          .text(row.status == 0 ? "–" : "\(row.status)"),
        ]
          + used.map { .count(row.cases[$0, default: 0]) }
          + [
            .text("\(row.constraints.done)/\(row.constraints.of)"),
            .text(row.statuses.map(String.init).joined(separator: " ")),
          ]
      })
  }
}

/// The tested and untested cases of each operation in an exploration.
struct ExploredSection: ReportSection {
  static let id = "explored"
  static let title = "Tested cases"
  static let entry = "Cases"

  let result: RunResult

  var blocks: [Block] {
    if let explored = result.explored {
      Block.lead(
        "Positive: values at the limit of a constraint. Negative: values just beyond it, or malformed. Auth: other "
          + "credentials. State: the life cycle of each item. Pairs, random: several changed parameters at once. Plain: the "
          + "status of the minimal valid request; if it did not succeed, rejections prove nothing.")
      ReportTable.explored(explored)
      explored.notes.map { Block.text(Phrase($0)) }
    }
  }
}
