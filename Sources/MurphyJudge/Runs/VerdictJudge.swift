import MurphyModel

/// Draws the one verdict from all the rows and findings.
///
/// Precedence: a run that was cut short, whose setup failed or whose credentials stopped working is invalid. A broken promise that does not rest on murphy's own
/// timing (an outage, contract, limits, state) fails the run whatever the generator did. When the generator was the
/// bottleneck, budgets and the traffic prove nothing, so the rest is invalid. Then failed budgets and traffic: a budget
/// is broken by every reading of what was not seen, murphy's own lateness included, so it fails also when murphy could
/// not send all that was planned. Then what murphy did not send, or leaves open by its lateness, makes the run invalid.
/// Then missing data.
package enum VerdictJudge {
  package struct Judged: Sendable {
    package var verdict: Verdict
    package var reasons: [String]
  }

  /// - Parameters:
  ///   - untested: operations whose responses could not be checked at all, or less than the scenario asks for.
  ///   - setup: what became of the setup; nil without one.
  ///   - credentials: those that stopped working and ended the load.
  package static func judge(
    _ ruling: Ruling, _ generator: GeneratorReport, _ ledger: Ledger, cutShort: Bool = false,
    failOnUnchecked: Bool = false, untested: [String] = [], setup: FixtureResult? = nil,
    credentials: LostCredentials? = nil
  ) -> Judged {
    let (findings, open) = (ruling.findings, ruling.checks.filter(\.isOpen))
    let failed = ruling.checks.filter { $0.state.verdict == .fail }
    let (budgets, traffic) = (failed.of(BudgetRow.self).map(\.reason), failed.of(TrafficRow.self).map(\.reason))
    var reasons: [String] = []
    var invalid: [String] = ledger.contradictions.map { "The ledger does not add up: \($0)." }
    if let reason = setup?.failed { invalid.append("The setup failed, so no load was sent: \(reason).") }
    if let credentials {
      invalid.append(
        credentials.sentence.prefix(1).uppercased() + credentials.sentence.dropFirst()
          + ": \(credentials.count), and what came after the first of them is not judged.")
    }
    if cutShort { invalid.append("The run was cut short, so there is no verdict on the whole.") }

    let facts = findings.filter { $0.severity == .error && !$0.kind.rule.restsOnTiming }
    reasons += facts.map(\.counted)
    // A broken limit has findings that say why; one without says it itself.
    let told = Set(facts.flatMap(\.fingerprints))
    reasons += failed.of(LimitRow.self).filter { told.isDisjoint(with: $0.findings) }.map(\.reason)
    reasons += failed.of(StateRow.self).map(\.reason)
    if failOnUnchecked, ledger.uncheckedTotal > 0, !facts.contains(where: { $0.kind == .contractUnchecked }) {
      reasons.append("\(ledger.uncheckedTotal) answers were not checked, and every answer was asked to be.")
    }
    if !invalid.isEmpty { return Judged(verdict: .invalid, reasons: invalid + reasons) }
    if !reasons.isEmpty { return Judged(verdict: .fail, reasons: reasons + budgets + traffic) }
    let weights = Set((generator.reservations ?? []).map(\.kind.weight))
    if weights.contains(.forbidsTiming) { return Judged(verdict: .invalid, reasons: generator.doubts) }

    var failures = budgets
    // Sessions that this machine had no room for end otherwise than scripted by no fault of the API.
    if !weights.contains(.forbidsPass) { failures += traffic }
    // A request that this machine had no port, file or memory for says nothing of the API.
    failures += findings.filter {
      $0.severity == .error && $0.kind.rule.restsOnTiming && !$0.hasRow && $0.kind != .transportExhausted
    }.map(\.counted)
    if !failures.isEmpty { return Judged(verdict: .fail, reasons: failures) }

    let owed = open.of(BudgetRow.self).filter { $0.undecided?.cause == .generator }.map(\.reason)
    if !generator.doubts.isEmpty || !owed.isEmpty {
      return Judged(verdict: .invalid, reasons: generator.doubts + owed)
    }

    // The most general first: where no request succeeded, the rest follows from it.
    var missing = open.of(TrafficRow.self).map(\.reason) + open.of(BudgetRow.self).map(\.reason)
    missing += open.of(LimitRow.self).map(\.reason) + untested
    missing += open.of(StateRow.self).map(\.reason) + open.of(Coverage.self).map(\.reason)
    if ledger.answered == 0 { missing.insert("No request was answered.", at: 0) }
    return Judged(verdict: missing.isEmpty ? .pass : .noData, reasons: missing)
  }
}

extension Finding {
  /// Its row says the same.
  fileprivate var hasRow: Bool { kind.family == .budget || kind.family == .traffic }

  /// The headline and how often it came.
  fileprivate var counted: String {
    let many = kind.family.countsAnswers ? " (in \(count) answers)" : " (\(count) times)"
    return headline + (count > 1 ? many : "")
  }
}
