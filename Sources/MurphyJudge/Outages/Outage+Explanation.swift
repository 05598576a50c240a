import MurphyModel

extension [Outage] {
  /// Whether a broken promise on errors or on sessions is broken by the outages alone, so that it is a part of them
  /// and no finding of its own; its row stays broken.
  package func explain(_ finding: Finding, budgets: [Budget], record: RunRecord) -> Bool {
    guard !isEmpty else { return false }
    switch finding.kind {
    case .budgetErrors:
      let others = BudgetJudge.judge(
        budgets.filter { $0.metric == .errors && $0.operation == finding.operation ?? "*" },
        record: record.without(self))
      return others.allSatisfy { $0.verdict != .fail }
    case .trafficCompleted:
      // A session fails of one lost request at least.
      return record.sessions.reduce(0) { $0 + $1.failedTotal } <= reduce(0) { $0 + $1.losses.count }
    case .trafficSessions: return record.operations.allSatisfy { $0.outcomes.answered == 0 }
    default: return false
    }
  }
}

extension RunRecord {
  /// As if the requests that outages cost had not been sent.
  fileprivate func without(_ outages: [Outage]) -> RunRecord {
    var record = self
    for loss in outages.flatMap(\.losses) where operations.indices.contains(loss.operation) {
      if loss.isCountedAsFailed {
        record.operations[loss.operation].outcomes.transport -= 1
      } else {
        record.operations[loss.operation].explained += 1
      }
      record.operations[loss.operation].sent -= 1
    }
    return record
  }
}

extension LostRequest {
  /// What was under way at the end is no failure of the transport.
  fileprivate var isCountedAsFailed: Bool { kind != nil && kind != .transportUnanswered }
}
