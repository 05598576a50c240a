import MurphyModel

/// Draws the one verdict from all the rows and findings.
///
/// Precedence: a run that was cut short is invalid. A broken promise that does not rest on murphy's own
/// timing (an outage, contract, limits, state) fails the run whatever the generator did. When the generator was the
/// bottleneck, budgets and the traffic prove nothing, so the rest is invalid; the same holds when every failed budget
/// may owe its failure to late sends. Then failed budgets and traffic, then missing data.
public enum VerdictJudge {
  public struct Judged: Sendable {
    public var verdict: Verdict
    public var reasons: [String]
  }

  public static func judge(
    cutShort: Bool, findings: [Finding], budgets: [BudgetRow], limits: [LimitRow], state: [StateRow],
    coverage: Coverage, generator: GeneratorReport, ledger: Ledger, failOnUnchecked: Bool = false,
    owedToLateness: [BudgetRow] = [], traffic: [TrafficRow] = []
  ) -> Judged {
    var reasons: [String] = []
    var invalid: [String] = ledger.contradictions.map { "The ledger does not add up: \($0)." }
    if cutShort { invalid.append("The run was cut short, so there is no verdict on the whole.") }

    let facts = findings.filter { $0.severity == .error && !$0.restsOnTiming }
    reasons += facts.map(\.headline)
    reasons += limits.filter(\.verdict.isViolation).map(\.sentence).filter { sentence in
      !facts.contains { $0.message == sentence }
    }
    reasons += state.filter { $0.verdict == .fail }.map(\.sentence)
    if failOnUnchecked, ledger.uncheckedTotal > 0, !facts.contains(where: { $0.kind == "contract.unchecked" }) {
      reasons.append("\(ledger.uncheckedTotal) answers were not checked, and every answer was asked to be.")
    }
    if !invalid.isEmpty { return Judged(verdict: .invalid, reasons: invalid + reasons) }
    if !reasons.isEmpty { return Judged(verdict: .fail, reasons: reasons + budgets.failures + traffic.failures) }
    if !generator.doubts.isEmpty { return Judged(verdict: .invalid, reasons: generator.doubts) }

    var failures = budgets.failures + traffic.failures
    failures += findings.filter { $0.severity == .error && $0.restsOnTiming && !$0.hasRow }.map(\.headline)
    if !failures.isEmpty, failures == owedToLateness.failures {
      return Judged(verdict: .invalid, reasons: failures + [Self.lateness(generator)])
    }
    if !failures.isEmpty { return Judged(verdict: .fail, reasons: failures) }

    var missing = budgets.filter { $0.verdict == .noData }.map(\.missingSentence)
    missing += traffic.filter { $0.verdict == .noData }.map { $0.statement + "." }
    missing += limits.filter { $0.verdict == .inconclusive && $0.declaredBy == "scenario" }.map(\.sentence)
    missing += state.filter { $0.verdict == .noData }.map(\.sentence)
    if coverage.verdict == .noData { missing.append(coverage.missingSentence) }
    if ledger.answered == 0 { missing.insert("No request was answered.", at: 0) }
    return Judged(verdict: missing.isEmpty ? .pass : .noData, reasons: missing)
  }

  private static func lateness(_ generator: GeneratorReport) -> String {
    let late = Duration.microseconds(Int64(generator.lateness.p99)).text
    return "Murphy itself sent 1% of the requests more than \(late) late, and the service times keep these budgets: "
      + "the API may be innocent. Give murphy more cores, or less load."
  }
}

extension Finding {
  /// A late or overloaded generator can cause these by itself.
  fileprivate var restsOnTiming: Bool {
    kind != Finding.outage && ["budget.", "traffic.", "transport.", "generator."].contains { kind.hasPrefix($0) }
  }

  /// Its row says the same.
  fileprivate var hasRow: Bool { kind.hasPrefix("budget.") || kind.hasPrefix("traffic.") }

  fileprivate var headline: String {
    (operation.map { "\($0): " } ?? "") + message + (count > 1 ? " (\(count) times)" : "")
  }
}

extension LimitRow.Verdict {
  fileprivate var isViolation: Bool {
    self == .overAdmission || self == .overThrottling || self == .contradictory
  }
}

extension BudgetRow {
  fileprivate var missingSentence: String {
    samples == 0
      ? "\(operation) \(metric): nothing was measured, so the budget of \(limit) was not tested."
      : "\(operation) \(metric): \(samples) samples are too few to decide; \(samplesNeeded) are needed."
  }
}

extension [BudgetRow] {
  fileprivate var failures: [String] { filter { $0.verdict == .fail }.map(\.sentence) }
}

extension [TrafficRow] {
  fileprivate var failures: [String] { filter { $0.verdict == .fail }.map { $0.statement + "." } }
}

extension Coverage {
  fileprivate var missingSentence: String {
    items.isEmpty
      ? "Nothing of the contract could be covered, but coverage was asked for."
      : "Coverage was asked for, but there is no baseline to compare with; --update-baseline writes one."
  }
}
