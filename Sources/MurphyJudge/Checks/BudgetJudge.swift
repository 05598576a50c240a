import Foundation
import MurphyModel

/// Checks the measurement against the budgets.
///
/// A row fails when every completion of the unknown data fails it. It passes when every completion passes it and there
/// are enough samples (`PercentileRule`). Otherwise it has no data, with the reason in words. Requests without a
/// response count with at least the time that they waited.
package enum BudgetJudge {
  /// One row for each budget, in their order. An operation that is not in the record has no samples.
  package static func judge(_ budgets: [Budget], record: RunRecord) -> [BudgetRow] {
    let total = record.operations.reduce(into: OperationRecord(operation: "*", method: "", path: "")) { total, one in
      total.merge(one)
    }
    return budgets.map { budget in
      let measured =
        budget.operation == "*"
        ? total
        : record.operations.first { $0.operation == budget.operation }
          ?? OperationRecord(operation: budget.operation, method: "", path: "")
      var row = row(budget, measured, elapsed: record.info.duration.inSeconds)
      if case .atMost(let limit) = budget.limit {
        row.strength = BudgetStrength(row, measured.ladders, limit: limit)
      }
      if row.verdict == .fail { row.findings = [finding(row).fingerprint] }
      return row
    }
  }

  /// The minimum number of samples for a verdict on the budget.
  package static func samplesNeeded(for budget: Budget) -> Int {
    budget.metric.percentile.map { PercentileRule(percentile: $0).samplesNeeded } ?? 1
  }

  /// A budget was not tested if none of its responses succeeded, even if it is met.
  private static func row(_ budget: Budget, _ measured: OperationRecord, elapsed: Double) -> BudgetRow {
    var row = measuredRow(budget, measured, elapsed: elapsed)
    if row.verdict != .fail, let rejections = measured.rejections, case .atMost = budget.limit {
      // Slow rejections also count against a budget.
      var whole = measured
      whole.account.merge(rejections)
      var broken = measuredRow(budget, whole, elapsed: elapsed)
      broken.rejected = rejections.samples
      if broken.verdict == .fail { return broken }
    }
    if measured.succeeded == 0, measured.sent > 0, row.verdict == .pass || row.verdict == .notTested {
      row.state = .notTested
      row.shareAtMost = nil
      row.undecided = BudgetRow.Undecided(.nothingSucceeded, measured.lackOfSuccess)
    }
    return row
  }

  private static func measuredRow(_ budget: Budget, _ measured: OperationRecord, elapsed: Double) -> BudgetRow {
    switch (budget.metric, budget.limit) {
    case (.latency, .atMost(let limit)), (.service, .atMost(let limit)), (.maxLatency, .atMost(let limit)),
      (.maxService, .atMost(let limit)):
      percentileRow(budget, measured.account, limit)
    case (.meanLatency, .atMost(let limit)), (.meanService, .atMost(let limit)):
      meanRow(budget, measured.account, limit)
    case (.errors, .share(let limit)): errorsRow(budget, measured, limit)
    case (.throughput, .atLeast(let limit)): throughputRow(budget, measured.outcomes, limit, elapsed)
    default: .unmeasured(budget)
    }
  }

  /// Responses that no rate limit rejected count: a rejection is not throughput.
  private static func throughputRow(
    _ budget: Budget, _ outcomes: Outcomes, _ limit: Rate, _ elapsed: Double
  ) -> BudgetRow {
    let served = outcomes.answered - outcomes.limited
    guard outcomes.answered > 0, elapsed > 0 else { return .unmeasured(budget) }
    let observed = Rate(perSecond: Double(served) / elapsed)
    return BudgetRow(
      budget, observed: MeasuredRange(observed.perSecond, .perSecond), samples: served,
      state: CheckState(trials: served, isBroken: observed < limit))
  }
}

extension BudgetRow {
  /// - Parameter state: nil while it is open.
  init(
    _ budget: Budget, observed: MeasuredRange? = nil, samples: Int, needed: Int = 1, state: CheckState? = nil
  ) {
    self.init(
      operation: budget.operation, metric: budget.metric, limit: budget.limit.measure, observed: observed,
      samples: samples, samplesNeeded: needed, state: state ?? CheckState(trials: samples, isOpen: true))
  }

  static func unmeasured(_ budget: Budget, needed: Int = 1) -> BudgetRow {
    var row = BudgetRow(budget, samples: 0, needed: needed)
    row.undecided = Undecided(
      .nothingMeasured, "no samples were measured, so the budget of \(budget.limit.text) was not tested")
    return row
  }
}

/// The conditions under which a percentile certainly meets its limit, and certainly exceeds it.
///
///     N samples, rank k = ⌈p·N⌉, so N − k requests may be over the limit
///     broken   over > N − k: even if every unknown request was fast
///     kept     over + maybe ≤ N − k: even if every unknown request was slow, and N ≥ n_min
///     open     otherwise
///
/// `n_min = ⌈ln 0.05 / ln p⌉`: with fewer samples, an API that exceeds the limit shows no slow request at all in more
/// than one run of twenty. Below it, a budget fails only when that many slow requests are not chance: the binomial
/// probability of seeing them from an API that meets the budget is below one per cent.
package struct PercentileRule {
  /// Per cent; 100 for a maximum.
  package var percentile: Double

  package init(percentile: Double) { self.percentile = percentile }

  /// The decision about one percentile.
  package enum Verdict: Equatable { case broken, kept, tooFew, open }

  /// 59 for p95, 299 for p99, 2,995 for p99.9; 1 for a maximum.
  package var samplesNeeded: Int {
    guard percentile < 100 else { return 1 }
    guard percentile > 0 else { return 1 }
    return Int((log(0.05) / log(percentile / 100) - 1e-9).rounded(.up))
  }

  /// The number of `samples` that may be over the limit.
  package func allowance(of samples: Int) -> Int {
    percentile < 100 ? samples - LatencyDistribution.rank(percentile, of: samples) : 0
  }

  /// `over` are certainly over the limit, `maybe` possibly.
  package func verdict(samples: Int, over: Int, maybe: Int) -> Verdict {
    guard samples > 0 else { return .tooFew }
    let allowed = allowance(of: samples)
    let isEnough = samples >= samplesNeeded
    if over > allowed {
      let isChance =
        !isEnough && binomialTail(atLeast: over, of: samples, probability: 1 - percentile / 100) >= 0.01
      return isChance ? .tooFew : .broken
    }
    if over + maybe > allowed { return isEnough ? .open : .tooFew }
    return isEnough ? .kept : .tooFew
  }
}

extension BudgetJudge {
  /// A finding for every failed budget: `budget.latency`, `budget.errors` or `budget.throughput`.
  package static func findings(_ rows: [BudgetRow]) -> [Finding] {
    rows.filter { $0.verdict == .fail }.map(finding)
  }

  static func finding(_ row: BudgetRow) -> Finding {
    Finding(
      kind: row.metric.finding, operation: row.operation == "*" ? nil : row.operation, message: row.finding,
      details: row.basis, discriminator: "\(row.metric.name) \(row.limit.notation)")
  }
}

extension Budget.Metric {
  fileprivate var finding: FindingKind {
    switch self {
    case .errors: .budgetErrors
    case .throughput: .budgetThroughput
    case .latency, .service, .meanLatency, .maxLatency, .meanService, .maxService: .budgetLatency
    }
  }
}

extension BudgetRow {
  /// The data that the verdict depends on.
  fileprivate var basis: [String] {
    var lines = ["The verdict is based on \(counted(samples, "sample"))."]
    if let unanswered, unanswered > 0 {
      let verbs = unanswered == 1 ? ("has", "counts") : ("have", "count")
      lines.append(
        "\(unanswered.text) of the samples \(verbs.0) no complete response and \(verbs.1) with the time of the wait.")
    }
    if let rejected { lines.append("A rate limit rejected \(rejected.text) of the samples.") }
    if let patient {
      lines.append("Only the \(patient.text) requests whose user waits longer than \(limit.text) decide the verdict.")
    }
    return lines
  }

  /// The message of its finding.
  fileprivate var finding: String { operation == "*" ? "all operations: \(statement)" : statement }
}

extension BudgetJudge {
  /// The share of errors among all requests that came due, except those that a rate limit rejected or the client
  /// cancelled.
  ///
  ///     broken   E > limit · N
  ///     kept     E + M ≤ limit · N, with N ≥ 1
  ///
  /// E are certain errors: error statuses, lost connections, timeouts, requests that were overdue at the end. M are
  /// possible errors: requests that were merely in flight at the end, or that murphy did not send. One error in a small
  /// run fails the budget, so it needs no minimum number of samples. The weak sensitivity of a small run is reported
  /// with it.
  static func errorsRow(_ budget: Budget, _ measured: OperationRecord, _ limit: Double) -> BudgetRow {
    let (due, errors, perhaps) = (measured.due, measured.errors, measured.perhapsErrors)
    guard due > 0 else { return .unmeasured(budget) }
    var row = BudgetRow(
      budget,
      observed: MeasuredRange(
        low: Double(errors) / Double(due), high: Double(errors + perhaps) / Double(due), unit: .share),
      samples: due)
    row.unanswered = due - (measured.outcomes.answered - measured.outcomes.limited)
    (row.over, row.maybe) = (errors, perhaps)
    // The limit as a count, corrected for the last bit of a binary fraction: 0.1 % of 1,000 is 1.
    let allowed = limit * Double(due) * (1 + 1e-12)
    if Double(errors) > allowed {
      row.state = .failed(trials: due)
    } else if Double(errors + perhaps) <= allowed {
      row.state = CheckState(trials: due)
      row.shareAtMost = upperShare(errors + perhaps, of: due)
    } else {
      row.undecided = undecided(measured, allowed: Int(allowed), limit: budget.limit.text)
    }
    return row
  }

  private static func undecided(_ measured: OperationRecord, allowed: Int, limit: String) -> BudgetRow.Undecided {
    let unsent = measured.account.censored.unsentMurphy
    let (errors, perhaps) = (measured.errors, measured.perhapsErrors)
    if errors + perhaps - unsent <= allowed { return .late(unsentOnly: unsent) }
    return BudgetRow.Undecided(
      .unanswered,
      "\(errors.text) of \(measured.due.text) requests failed and \(perhaps.text) more have no result (in flight at "
        + "the end, or not sent); the budget allows \(counted(allowed, "failure"))")
  }
}

extension BudgetRow.Undecided {
  fileprivate static func late(unsentOnly unsent: Int) -> Self {
    Self(
      .generator,
      "murphy did not send \(counted(unsent, "request")), so this budget has no verdict. Give murphy more cores, or "
        + "reduce the load")
  }
}

/// P(X ≥ k) for X binomial with n trials of the given probability; exact summation in logarithms, O(n).
package func binomialTail(atLeast k: Int, of n: Int, probability: Double) -> Double {
  guard k > 0 else { return 1 }
  guard k <= n, probability > 0 else { return 0 }
  guard probability < 1 else { return 1 }
  return binomialSum(k...n, of: n, probability: probability)
}

/// The upper 95 % bound of a share by Clopper and Pearson (1934): the largest p with P(X ≤ k) ≥ 5 % for X binomial
/// with n trials. `1 − 0.05^(1/n)` for k = 0, about 3/n. O(k) for each of 50 halvings.
package func upperShare(_ k: Int, of n: Int) -> Double {
  guard n > 0, k < n else { return 1 }
  guard k > 0 else { return 1 - pow(0.05, 1 / Double(n)) }
  var (low, high) = (Double(k) / Double(n), 1.0)
  for _ in 0..<50 {
    let middle = (low + high) / 2
    if binomialSum(0...k, of: n, probability: middle) >= 0.05 { low = middle } else { high = middle }
  }
  return high
}

/// P(X in `range`), with 0 < probability < 1.
private func binomialSum(_ range: ClosedRange<Int>, of n: Int, probability: Double) -> Double {
  let (success, failure) = (log(probability), log1p(-probability))
  var sum = 0.0
  for i in range {
    let ways = lgamma(Double(n + 1)) - lgamma(Double(i + 1)) - lgamma(Double(n - i + 1))
    sum += exp(ways + Double(i) * success + Double(n - i) * failure)
  }
  return min(sum, 1)
}
