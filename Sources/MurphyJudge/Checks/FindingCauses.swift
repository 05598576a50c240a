import MurphyModel
import MurphyScenario

/// Finds failed checks that one undocumented status explains, as outages explain others. They follow the finding of the
/// status, and name it as their cause. Nothing is dropped.
struct FindingCauses {
  let record: RunRecord
  let expectations: Expectations

  /// The findings in their order, each consequence directly after its cause.
  func joined(_ findings: [Finding]) -> [Finding] {
    let causes = findings.filter { $0.severity == .error && $0.kind == .contractStatus && ($0.status ?? 0) >= 400 }
    guard !causes.isEmpty else { return findings }
    var consequences: [String: [Finding]] = [:]
    let rest = findings.filter { finding in
      guard let cause = causes.first(where: { explains($0, finding) }) else { return true }
      var finding = finding
      finding.details.insert("Caused by: \(cause.headline).", at: 0)
      consequences[cause.fingerprint, default: []].append(finding)
      return false
    }
    return rest.flatMap { [$0] + (consequences[$0.fingerprint] ?? []) }
  }

  /// True if the check would not have failed without the responses of the cause.
  private func explains(_ cause: Finding, _ finding: Finding) -> Bool {
    switch finding.kind {
    case .budgetErrors:
      let budgets = expectations.allBudgets.filter {
        $0.metric == .errors && $0.operation == finding.operation ?? "*"
      }
      return BudgetJudge.judge(budgets, record: record.without(cause)).allSatisfy { $0.verdict != .fail }
    case .trafficCompleted:
      guard let share = expectations.traffic.completed else { return false }
      let explained = record.sessions.reduce(0) { $0 + failures(of: $1, by: cause) }
      let met = record.sessions.reduce(0) { $0 + $1.completed + $1.leftTotal }
      let others = record.sessions.reduce(0) { $0 + $1.failedTotal } - explained
      return explained > 0 && Double(met) >= share * Double(met + others)
    case .trafficSessions:
      let missing = record.sessions.filter { $0.completed == 0 && $0.failedTotal > 0 }
      return !missing.isEmpty && missing.allSatisfy { failures(of: $0, by: cause) == $0.failedTotal }
    default: return false
    }
  }

  /// The number of sessions that a response of the cause ended.
  private func failures(of session: SessionResult, by cause: Finding) -> Int {
    let reasons = cause.operations.compactMap(\.self).map { ReasonCount.reason($0, status: cause.status ?? 0) }
    return session.failed.reduce(0) { reasons.contains($1.reason) ? $0 + $1.count : $0 }
  }
}

extension RunRecord {
  /// The record as if the requests with the status of the cause had not been sent.
  fileprivate func without(_ cause: Finding) -> RunRecord {
    guard let status = cause.status else { return self }
    var record = self
    for index in operations.indices where cause.operations.contains(operations[index].operation) {
      let count = operations[index].statuses.first { $0.status == status }?.count ?? 0
      let errors = status < 500 ? \Outcomes.clientError : \Outcomes.serverError
      // A response that its step expects is not an error.
      record.operations[index].outcomes[keyPath: errors] -= min(count, operations[index].outcomes[keyPath: errors])
    }
    return record
  }
}
