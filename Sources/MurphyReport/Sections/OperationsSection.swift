import MurphyModel

/// Two rows per operation: the outcomes of its requests, and its latency.
struct OperationsSection: ReportSection {
  static let id = "operations"
  static let title = "Operations"

  let result: RunResult

  private static let rowsShown = 300

  var count: Int? { result.calledOperations.count }

  var blocks: [Block] {
    let called = result.calledOperations
    if !called.isEmpty {
      Block.lead(
        "Each request counts once, under the first that fits: violating responses break the contract, a rule of HTTP or "
          + "what their step expects; unchecked ones could not be checked in full; refused are rejected by a rate limit, errors are other 4xx "
          + "and 5xx as documented, ok is every other response; the rest is unanswered.")
      Block.table(.ends(called), most: Self.rowsShown)
    }
    let uncalled = result.operations.filter { $0.requests == 0 }
    if !uncalled.isEmpty {
      let names = uncalled.prefix(20).map(\.operation).joined(separator: ", ")
      Block.text(
        "Never called: \(names)\(uncalled.count > 20 ? " and \(uncalled.count - 20) more." : ".")", style: "cut")
    }
    if !called.isEmpty {
      let order = OutlierRanking(Array(called.prefix(Self.rowsShown)))
      Block.heading("Latency")
      Block.lead(
        "Large is the latency, what a user waits from the intended start; small below it the service time, from the "
          + "actual send. Where they are far apart, requests had to wait their turn. A figure such as 1.5 .. 1.7 lies between "
          + "its two ends: of requests without a response, or that murphy sent late, no more is known."
          + (order.ratios.isEmpty ? "" : " The operation that is slowest compared with the others (p95) comes first."))
      ReportTable.latency(order.ranked, order)
      PhaseTable(operations: order.ranked).blocks
    }
  }
}

extension RunResult {
  /// The operations that the run sent requests to, in the contract's order.
  package var calledOperations: [OperationResult] { operations.filter { $0.requests > 0 } }
}

/// A row per kind of session.
struct SessionsSection: ReportSection {
  static let id = "sessions"
  static let title = "Sessions"

  let result: RunResult

  var blocks: [Block] {
    if !result.sessions.isEmpty {
      Block.lead(
        "Left: an `on:` of the scenario sends the user away. Failed: a step or template failed. Unfinished: it still ran "
          + "when the load and its grace were over, and counts as neither.")
      ReportTable.sessions(result.sessions)
      result.run.fixtures.map { Block.text(Phrase($0)) }
      if let tags = result.tags, !tags.isEmpty { ReportTable.tags(tags) }
    }
  }
}
