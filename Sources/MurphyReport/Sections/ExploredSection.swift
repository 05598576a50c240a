import MurphyModel

extension Exploration {
  private static let mostShown = 20

  /// Operations that might change data of other users.
  private var skippedNotes: [String] {
    guard let skipped, !skipped.isEmpty else { return [] }
    let sum = "Murphy sent no request to \(counted(skipped.count, "operation")). "
    return [sum + "To include one of these operations, use --operation NAME:"]
      + skipped.map { "\($0.operation): \($0.reason)" }.first(Self.mostShown)
  }

  /// Items that were created and still exist.
  private var removalNotes: [String] {
    guard let deleted, deleted.of > 0 || remaining?.isEmpty == false else { return [] }
    let rows = (remaining ?? []).first(Self.mostShown)
    let sum = "Murphy deleted \(deleted.done) of \(counted(deleted.of, "created item"))."
    return (deleted.of > 0 ? [sum] : []) + (rows.isEmpty ? [] : ["Not deleted:"] + rows)
  }

  private static let briefly = 2

  /// The decided, sent and remaining parts, in at most eight lines.
  var brief: [String] {
    let decided = operations.reduce(0) { $0 + $1.trials }
    let planned = operations.reduce(0) { $0 + ($1.decided?.of ?? $1.trials) }
    let sent = writes?.count ?? 0
    let figures = [
      "\(decided.text) of \(counted(planned, "test case")) decided",
      sent > 0 ? "\(counted(sent, "write request")) sent" : nil,
      deleted.flatMap { $0.of > 0 ? "\($0.done) of \(counted($0.of, "created item")) deleted" : nil },
      skipped.flatMap { $0.isEmpty ? nil : "\(counted($0.count, "operation")) not called" },
    ].compactMap(\.self)
    return [figures.joined(separator: " · ")] + untried.prefix(Self.briefly)
      + leftItems.first(Self.briefly) { "and \($0) more" }
  }

  /// The items that still exist, one text for each reason, which comes first because a terminal cuts the end:
  /// `not deleted (status 403): /items/4, /items/5 and 7 more items`.
  private var leftItems: [String] {
    let rows = (remaining ?? []).map { row in
      row.firstRange(of: ": ").map { (path: String(row[..<$0.lowerBound]), reason: " (\(row[$0.upperBound...]))") }
        ?? (path: row, reason: "")
    }
    return rows.grouped(by: \.reason).map { reason, rows in
      let more = rows.count > Self.briefly ? " and \(counted(rows.count - Self.briefly, "more item"))" : ""
      return "not deleted\(reason): " + rows.prefix(Self.briefly).map(\.path).joined(separator: ", ") + more
    }
  }

  /// The omitted cases, and the ignored results.
  var notes: [String] {
    untried + skippedNotes + (writes?.lines ?? []) + removalNotes
      + (addresses.map {
        [
          "Murphy sent requests from \(counted($0, "address", "addresses")) of this machine, because a rate limit "
            + "rejected some requests."
        ]
      } ?? [])
      + (unrepeated > 0
        ? [
          "\(counted(unrepeated, "suspected problem")) could not be reproduced and \(unrepeated == 1 ? "is" : "are") "
            + "ignored."
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
        "The column `plain` has the status of the minimal valid request. If this request did not succeed, rejections "
          + "prove nothing. Positive cases send values at the limit of a constraint. Negative cases send values just "
          + "beyond a constraint, or malformed values. Auth cases send missing, unknown or other credentials. State "
          + "cases create, read, change and delete items. Pair cases and random cases change several parameters at "
          + "once.")
      ReportTable.explored(explored)
      explored.notes.map { Block.text(Phrase($0)) }
    }
  }
}

extension Exploration {
  /// The steps that would decide more, by the reason why cases are undecided.
  func advice(_ findings: [Finding]) -> String {
    func lacks(_ statuses: Set<Int>, _ reason: String) -> Bool {
      operations.contains { row in
        !row.succeeded && statuses.contains(row.status) || (row.undecided?[reason] ?? 0) > 0
      }
    }
    let called = operations.filter { !$0.statuses.isEmpty }
    if !called.isEmpty, called.allSatisfy({ !$0.succeeded && $0.statuses == [404] }) {
      return "Correct the base path of --target."
    }
    var advice: [String] = []
    if lacks([401, 403], "credentials rejected") { advice.append("Provide credentials that the API accepts.") }
    if lacks([429], "rate limited") { advice.append("Raise the API's rate limits for this test.") }
    if findings.contains(where: { $0.kind == .transportBodyLimit }) {
      advice.append("Use test data with shorter response bodies.")
    }
    if operations.contains(where: { $0.untried > 0 }) || untried.contains(where: { $0.hasPrefix("--max-") }) {
      advice.append("Raise --max-seconds or --max-requests.")
    }
    if advice.isEmpty {
      advice.append(
        "In the OpenAPI document, add an `example` that the API accepts to each required parameter and property.")
    }
    return advice.joined(separator: " ")
  }
}

extension RunResult {
  /// One check per tested operation of an exploration: valid requests are accepted, invalid requests are rejected.
  func exploreChecks(_ list: FindingList) -> [Check] {
    guard let explored else { return [] }
    let broken = list.numbers(of: .explore)
    return explored.operations.compactMap { row in
      let tried =
        "\(row.decision), \(row.constraints.done) of \(counted(row.constraints.of, "contract constraint")) tested"
      func check(_ state: CheckState, _ sentence: String, _ findings: [Int] = []) -> Check {
        Check(
          .explore, "\(row.operation) accepts and rejects requests as documented", state, sentence,
          subject: row.operation,
          findings: findings)
      }
      if let found = broken[row.operation] { return check(.failed(trials: row.trials), tried, found) }
      if row.trials == 0 {
        let isLimited =
          row.status == 429 ? "a rate limit rejected its minimal valid request, so murphy planned no test case" : nil
        return check(.notTested, row.decided?.of == 0 ? isLimited ?? "murphy ran no test case" : tried)
      }
      guard row.succeeded else {
        return check(.notTested, "\(tried); no request succeeded, so rejections prove nothing")
      }
      return check(CheckState(trials: row.trials, isOpen: row.isMostlyUndecided), tried)
    }
  }
}
