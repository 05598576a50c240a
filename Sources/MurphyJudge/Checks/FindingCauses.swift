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
      let explained = failures(of: record.sessions, by: cause)
      let met = record.sessions.reduce(0) { $0 + $1.completed + $1.leftTotal }
      let others = record.sessions.reduce(0) { $0 + $1.failedTotal } - explained
      return explained > 0 && Double(met) >= share * Double(met + others)
    case .trafficSessions:
      let missing = record.sessions.filter { $0.completed == 0 && $0.failedTotal > 0 }
      return !missing.isEmpty && failures(of: missing, by: cause) == missing.reduce(0) { $0 + $1.failedTotal }
    default: return false
    }
  }

  /// The number of sessions that a response of the cause ended.
  private func failures(of sessions: [SessionResult], by cause: Finding) -> Int {
    func count(_ isCounted: (String) -> Bool) -> Int {
      sessions.flatMap(\.failed).reduce(0) { $0 + (isCounted($1.reason) ? $1.count : 0) }
    }
    guard isLead(cause) else {
      let reasons = cause.operations.compactMap { $0.map { ReasonCount.reason($0, status: cause.status ?? 0) } }
      return count(reasons.contains)
    }
    // A session may also have failed before the time from which all requests failed.
    return tails.reduce(0) { sum, tail in
      let begin = tail.operation + ": "
      return sum + min(tail.count, count { $0.hasPrefix(begin) && Self.isFault($0.dropFirst(begin.count)) })
    }
  }

  /// True if a session ended because its request got no response, or a status of 5xx. A rejected request (4xx) and a
  /// failed expectation on content are not failures of the target.
  private static func isFault(_ reason: Substring) -> Bool {
    reason.hasPrefix("status 5") || (reason.hasPrefix("expected ") && reason.contains(", found 5"))
      || losses.contains(String(reason))
  }

  private static let losses = Set(FindingKind.allCases.filter { $0.family == .transport }.map(\.name))

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
