import MurphyModel
import MurphyScenario

/// Finds failed checks that one undocumented status or failing operations explain, as outages explain others. They
/// follow the finding of their cause, and name it. Nothing is dropped.
struct FindingCauses {
  let record: RunRecord
  let expectations: Expectations
  /// The finding that failing operations explain, and the failures of these operations.
  let lead: Finding?
  let tails: [FailureOnset.Tail]

  /// The findings in their order, each consequence directly after its cause.
  func joined(_ findings: [Finding]) -> [Finding] {
    let causes = findings.filter { finding in
      isLead(finding) || (finding.severity == .error && finding.kind == .contractStatus && (finding.status ?? 0) >= 400)
    }
    guard !causes.isEmpty else { return findings }
    var consequences: [String: [Finding]] = [:]
    let rest = findings.filter { finding in
      guard let cause = causes.first(where: { explains($0, finding) }) else { return true }
      var finding = finding
      finding.details.insert("Caused by: \(isLead(cause) ? cause.cause ?? "" : cause.headline).", at: 0)
      consequences[cause.fingerprint, default: []].append(finding)
      return false
    }
    return rest.flatMap { [$0] + (consequences[$0.fingerprint] ?? []) }
  }

  private func isLead(_ finding: Finding) -> Bool { finding.fingerprint == lead?.fingerprint }

  /// True if the check would not have failed without the responses of the cause.
  private func explains(_ cause: Finding, _ finding: Finding) -> Bool {
    guard !isLead(finding) else { return false }
    switch finding.kind {
    case .budgetErrors:
      let budgets = expectations.allBudgets.filter {
        $0.metric == .errors && $0.operation == finding.operation ?? "*"
      }
      return BudgetJudge.judge(budgets, record: without(cause)).allSatisfy { $0.verdict != .fail }
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
    session.failed.filter { isFailure($0.reason, by: cause) }.reduce(0) { $0 + $1.count }
  }

  private func isFailure(_ reason: String, by cause: Finding) -> Bool {
    guard isLead(cause) else {
      return cause.operations.contains { $0.map { ReasonCount.reason($0, status: cause.status ?? 0) } == reason }
    }
    // A rejected request (4xx) is not a failure of the target.
    return tails.contains { reason.hasPrefix("\($0.operation): ") && !reason.hasPrefix("\($0.operation): status 4") }
  }

  /// The record as if the requests of the cause had not been sent.
  private func without(_ cause: Finding) -> RunRecord {
    var record = record
    let operations = record.operations
    if isLead(cause) {
      for tail in tails {
        guard let index = operations.firstIndex(where: { $0.operation == tail.operation }) else { continue }
        let outcomes = operations[index].outcomes
        let count = min(tail.count, outcomes.serverError)
        record.operations[index].outcomes.serverError -= count
        record.operations[index].outcomes.transport -= min(tail.count - count, outcomes.transport)
      }
      return record
    }
    guard let status = cause.status else { return record }
    for index in operations.indices where cause.operations.contains(operations[index].operation) {
      let count = operations[index].statuses.first { $0.status == status }?.count ?? 0
      let errors = status < 500 ? \Outcomes.clientError : \Outcomes.serverError
      // A response that its step expects is not an error.
      record.operations[index].outcomes[keyPath: errors] -= min(count, operations[index].outcomes[keyPath: errors])
    }
    return record
  }
}
