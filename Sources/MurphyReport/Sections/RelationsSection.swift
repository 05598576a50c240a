import MurphyModel

/// The consistency of responses with requests and with each other: a table for each operation.
struct RelationsSection: ReportSection {
  static let id = "relations"
  static let title = "Requests and their responses"
  static let entry = "Relations"

  let result: RunResult

  var blocks: [Block] {
    let operations = result.relationsByOperation
    let reasons = reasons(operations.flatMap(\.rows))
    let own =
      result.relationRequests.map { " Murphy sent \(counted($0, "request")) after the load to test rules." } ?? ""
    if !operations.isEmpty {
      Block.lead(
        "Murphy derives consistency rules between requests and responses from the contract. If no response of the run "
          + "could have violated a rule, the rule is not tested." + own)
      operations.map { fold($0.operation, $0.rows, reasons) }
    }
  }

  /// Reasons by operation and relation; each reason is shown once.
  private func reasons(_ rows: [RelationRow]) -> [String: String] {
    var first: [String: String] = [:]
    var reasons: [String: String] = [:]
    for row in rows {
      let name = "\(row.operation) \(row.relation)"
      if let other = first[row.reason] {
        reasons[name] = "same as \(other)"
      } else {
        first[row.reason] = name
        reasons[name] = row.reason
      }
    }
    return reasons
  }

  private func fold(_ operation: String, _ rows: [RelationRow], _ reasons: [String: String]) -> Block {
    let broken = rows.count { $0.outcome == .broken }
    let tested = rows.count { $0.outcome == .kept } + broken
    let table = ReportTable(
      "Relations of \(operation)", [.text("relation"), .text("outcome"), .number("trials"), .text("why")],
      rows.map { row in
        [
          .init(
            "", markup: .group([element(.code, text: row.relation), .text(" "), element(.small, text: row.promise)])),
          .init("", markup: Badge.of(row.outcome == .untested ? .notRequired : Check.State(row.state))),
          .count(row.samples),
          .text(reasons["\(row.operation) \(row.relation)"] ?? row.reason),
        ]
      })
    let failed = broken > 0 ? ", \(broken) failed" : ""
    return .fold("\(operation): \(tested) of \(rows.count) tested\(failed)", [.table(table)])
  }
}

/// The invariants over sessions, with the data that they were judged by.
struct StateSection: ReportSection {
  static let id = "state"
  static let title = "State"

  let result: RunResult

  var blocks: [Block] {
    let rows = result.state.filter { $0.test != nil }
    if !rows.isEmpty {
      Block.lead(
        "Murphy checks the invariants in its own log of requests and responses. A response is sharp if it could have "
          + "revealed a fault of the server. After a write without a response, the check accepts more values.")
      for row in rows { article(row) }
    }
  }

  private func article(_ row: StateRow) -> Markup {
    element(.article) {
      element(.h3, text: "\(row.kind ?? "invariant") \(row.name)")
      element(.p, text: row.sentence)
      if let test = row.test { Block.facts(facts(test)) }
    }
  }

  private func facts(_ test: StateTest) -> [(String, String)] {
    var facts = [
      ("keys", "\(test.keys.text), \(test.tested.text) tested"),
      ("writes", test.writes.text),
      ("responses", "\(test.reads.text), \(test.sharp.text) sharp"),
    ]
    if test.sharp > 0 { facts.append(("accepted values per sharp response", Figure.digits(test.slack + 1))) }
    for reason in test.inconclusive {
      facts.append(("undecided", "\(counted(reason.count, "key")): \(reason.reason)"))
    }
    if test.ownRequests > 0 {
      facts.append(("requests by murphy after the load", counted(test.ownRequests, "request")))
    }
    return facts
  }
}
