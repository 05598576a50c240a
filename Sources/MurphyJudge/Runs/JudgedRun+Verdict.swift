import MurphyModel

/// Computes the one verdict from all rows and findings.
///
/// Precedence: a run that was cut short, whose setup failed or whose credentials stopped working is invalid. A failed
/// check that does not depend on murphy's own timing (an outage, contract, limits, state) fails the run independently
/// of the generator. When the generator was the bottleneck, budgets and the traffic prove nothing, so the rest is
/// invalid. Next are failed budgets and traffic. A budget fails only if every completion of the unknown data fails it,
/// murphy's own lateness included. So it also fails when murphy could not send all planned requests. Next, requests
/// that murphy did not send, or leaves undecided by its lateness, make the run invalid. Last is missing data.
extension JudgedRun {
  /// - Parameter weak: operations whose responses could not be checked at all, or less than the scenario requires.
  package func verdict(of ruling: JudgeResult, weak: [String] = []) -> (verdict: Verdict, reasons: [String]) {
    let shutOut = shutOut
    var untested = weak
    if let shutOut {
      untested.insert(shutOut, at: 0)
    } else if record.ledger.answered > 0, record.operations.allSatisfy({ $0.succeeded == 0 }) {
      untested.insert("No request succeeded.", at: 0)
    }
    var judged = verdict(of: ruling, untested: untested)
    if judged.verdict == .fail {
      let early = record.info.lost.map { "The load was ended early: \($0.sentence)." }
      judged.reasons = [shutOut, early].compactMap(\.self) + judged.reasons
    }
    return judged
  }

  private func verdict(of ruling: JudgeResult, untested: [String]) -> (verdict: Verdict, reasons: [String]) {
    let (info, ledger, generator) = (record.info, record.ledger, record.generator)
    let (findings, open) = (ruling.findings, ruling.checks.filter(\.isOpen))
    let failed = ruling.checks.filter { $0.state.verdict == .fail }
    let (budgets, traffic) = (failed.of(BudgetRow.self).map(\.reason), failed.of(TrafficRow.self).map(\.reason))
    var reasons: [String] = []
    var invalid: [String] = ledger.contradictions.map { "The request accounting is inconsistent: \($0)." }
    if let reason = info.setup?.failed { invalid.append("The setup failed, so no load was sent: \(reason).") }
    if let credentials = info.lostCredentials {
      invalid.append(
        credentials.sentence.capitalizedFirst
          + ": \(credentials.count), and the checks ignore all responses after the first of them.")
    }
    if info.cutShort || isGivenUp(ruling) {
      invalid.append("The run was cut short and has no verdict.")
    }

    let facts = findings.filter { $0.severity == .error && !$0.kind.rule.isTimingSensitive }
    reasons += facts.map(\.counted)
    // The findings of a failed limit give the reason; a limit without one gives it itself.
    let told = Set(facts.flatMap(\.fingerprints))
    reasons += failed.of(LimitRow.self).filter { told.isDisjoint(with: $0.findings) }.map(\.reason)
    reasons += failed.of(StateRow.self).map(\.reason)
    if failsOnUnchecked, ledger.uncheckedTotal > 0, !facts.contains(where: { $0.kind == .contractUnchecked }) {
      reasons.append(
        "\(ledger.uncheckedTotal) responses were not checked, but `fail-on-unchecked` requires that every response is.")
    }
    if !invalid.isEmpty { return (verdict: .invalid, reasons: invalid + reasons) }
    if !reasons.isEmpty { return (verdict: .fail, reasons: reasons + budgets + traffic) }
    let weights = Set((generator.reservations ?? []).map(\.kind.weight))
    if weights.contains(.forbidsTiming) { return (verdict: .invalid, reasons: generator.doubts) }

    var failures = budgets
    // Sessions that this machine had no capacity for fail for a reason that is not the API's.
    if !weights.contains(.forbidsPass) { failures += traffic }
    // A request for which this machine had no port, file or memory proves nothing about the API.
    failures += findings.filter {
      $0.severity == .error && $0.kind.rule.isTimingSensitive && !$0.hasRow && $0.kind != .transportExhausted
    }.map(\.counted)
    if !failures.isEmpty { return (verdict: .fail, reasons: failures) }

    let owed = open.of(BudgetRow.self).filter { $0.undecided?.cause == .generator }.map(\.reason)
    if !generator.doubts.isEmpty || !owed.isEmpty {
      return (verdict: .invalid, reasons: generator.doubts + owed)
    }

    // The most general first: where no request succeeded, the rest follows from it.
    var missing = open.of(TrafficRow.self).map(\.reason) + open.of(BudgetRow.self).map(\.reason)
    missing += open.of(LimitRow.self).map(\.reason) + untested
    missing += open.of(StateRow.self).map(\.reason) + open.of(Coverage.self).map(\.reason)
    if ledger.answered == 0 { missing.insert("No request was answered.", at: 0) }
    return (verdict: missing.isEmpty ? .pass : .noData, reasons: missing)
  }

  /// The reason that all operations with required credentials failed, where each of their responses was 401 or 403.
  private var shutOut: String? {
    let needing = contract.operations.filter { $0.isDocumented && !$0.isOpen }.map(\.id)
    let asked = record.operations.filter { record in
      record.outcomes.answered > 0 && (needing.isEmpty || needing.contains(record.operation))
    }
    let statuses = asked.flatMap(\.statuses).reduce(into: [Int: Int]()) { $0[$1.status, default: 0] += $1.count }
    guard !statuses.isEmpty, asked.allSatisfy({ $0.succeeded == 0 }),
      statuses.keys.allSatisfy({ $0 == 401 || $0 == 403 })
    else { return nil }
    let seen = statuses.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }.joined(separator: ", ")
    return
      "No \(needing.isEmpty ? "request" : "operation that needs credentials") succeeded, and each response was 401 or "
      + "403 (\(seen)). Check the credentials and their permissions."
  }

  /// True if the load was ended by a budget that does not fail on the whole record: then the rest is missing.
  private func isGivenUp(_ ruling: JudgeResult) -> Bool {
    guard let lost = record.info.lost else { return false }
    return !ruling.checks.of(BudgetRow.self).contains {
      $0.operation == lost.operation && $0.metric == lost.metric && $0.limit == lost.limit && $0.verdict == .fail
    }
  }
}

extension Finding {
  /// Its row contains the same.
  fileprivate var hasRow: Bool { kind.family == .budget || kind.family == .traffic }

  /// The headline and the number of occurrences.
  fileprivate var counted: String {
    let many = kind.family.countsAnswers ? " (in \(count) responses)" : " (\(count) times)"
    return headline + (count > 1 ? many : "")
  }
}
