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
        "Each request is counted once, in the first matching column. Violating: the response breaks the contract, HTTP or "
          + "an expectation of its step. Unchecked: the response was not checked in full. Refused: rejected by a rate limit. "
          + "Errors: other 4xx and 5xx, as documented. Ok: every other response. Unanswered: no complete response.")
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
        "Large: latency from the scheduled start. Small: service time from the actual send. A large difference means that "
          + "requests were queued. A range such as 1.5 .. 1.7 means that some requests had no response or were sent late."
          + (order.ratios.isEmpty ? "" : " Operations that are slow compared with the others (p95) come first."))
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
        "Left: an `on:` rule ended the session. Failed: a step or template failed. Unfinished: still running after the "
          + "load and its grace period; not counted as completed or failed.")
      ReportTable.sessions(result.sessions)
      result.run.fixtures.map { Block.text(Phrase($0)) }
      if let tags = result.tags, !tags.isEmpty { ReportTable.tags(tags) }
    }
  }
}
