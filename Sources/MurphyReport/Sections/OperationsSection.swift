import MurphyModel

/// Two rows per operation: what became of its requests, and its latency.
struct OperationsSection: ReportSection {
  static let id = "operations"
  static let title = "Operations"

  let result: RunResult

  private static let rowsShown = 300

  var count: Int? { result.calledOperations.count }

  var content: Markup? {
    guard !result.operations.isEmpty else { return nil }
    let called = result.calledOperations
    let shown = Array(called.prefix(Self.rowsShown))
    return .group([
      shown.isEmpty ? .nothing : ends(called), uncalled, shown.isEmpty ? .nothing : latency(shown),
    ])
  }

  private func ends(_ operations: [OperationResult]) -> Markup {
    .group([
      lead(
        "Each request counts once, under the first that fits: violating answers break the contract, a rule of HTTP or "
          + "what their step expects; unchecked ones could not be checked in full; refused are rejected by a rate limit, errors are other 4xx "
          + "and 5xx as documented, ok is every other answer; the rest is unanswered."),
      ReportTable.ends(operations).markup(most: Self.rowsShown),
    ])
  }

  private func latency(_ operations: [OperationResult]) -> Markup {
    let order = StandOut(operations)
    return .group([
      element(.h3, text: "Latency"),
      lead(
        "Large is the latency, what a user waits from the intended start; small below it the service time, from the "
          + "actual send. Where they are far apart, requests had to wait their turn. A figure such as 1.5 .. 1.7 lies between "
          + "its two ends: of requests without an answer, or that murphy sent late, no more is known."
          + (order.ratios.isEmpty ? "" : " The operation that is slowest compared with the others (p95) comes first.")),
      ReportTable.latency(order.ranked, order).markup, PhaseTable(operations: order.ranked).markup,
    ])
  }

  private var uncalled: Markup {
    let uncalled = result.operations.filter { $0.requests == 0 }
    guard !uncalled.isEmpty else { return .nothing }
    let names = uncalled.prefix(20).map(\.operation).joined(separator: ", ")
    return element(
      .p, .class("cut"),
      text: "Never called: \(names)" + (uncalled.count > 20 ? " and \(uncalled.count - 20) more." : "."))
  }
}

extension RunResult {
  /// The operations that the run sent requests to, in the contract's order.
  package var calledOperations: [OperationResult] { operations.filter { $0.requests > 0 } }
}
