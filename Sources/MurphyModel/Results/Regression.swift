/// The comparison of a run with earlier runs of the same load: `murphy run --baseline`.
package struct Regression: Sendable, Codable {
  /// The file names of the earlier results.
  package var baselines: [String]
  /// The folder that keeps the earlier results; nil if the user listed them.
  package var folder: BaselineFolder?
  /// Fail: a slowdown is proven. Pass: every slowdown beyond the margin is ruled out. Otherwise neither.
  package var verdict: RowVerdict
  /// Why, in sentences; empty for a pass.
  package var reasons: [String]
  /// One for each operation and metric.
  package var rows: [RegressionRow]

  package init(
    baselines: [String], verdict: RowVerdict, reasons: [String], rows: [RegressionRow] = [],
    folder: BaselineFolder? = nil
  ) {
    self.baselines = baselines
    self.folder = folder
    self.verdict = verdict
    self.reasons = reasons
    self.rows = rows
  }
}

/// One metric of one operation compared with the baseline.
package struct RegressionRow: Sendable, Codable, Hashable {
  /// The quantity that is compared.
  package enum Metric: String, Sendable, Codable, Hashable, CaseIterable {
    /// The median of latency.
    case p50
    /// The 95th percentile of latency.
    case p95
    /// The 99th percentile of latency.
    case p99
    /// The error rate.
    case errors
    /// Responses per second.
    case throughput
  }

  /// The operationId.
  package var operation: String
  /// The compared metric.
  package var metric: Metric
  /// The decision on the metric.
  package private(set) var verdict: RowVerdict
  /// The value of the baseline: microseconds, a share, or responses per second.
  package var base: Double?
  /// The value of this run, in the same unit.
  package var candidate: Double?
  /// The deterioration in this run: 0.05 for 5 % slower, or a difference of shares; negative for an improvement.
  package var change: Double?
  /// The lower end of the change's 90 % interval.
  package var low: Double?
  /// The upper end of the change's 90 % interval.
  package var high: Double?
  /// The slowdown that must be ruled out for a pass.
  package var margin: Double
  /// The smallest slowdown that would have been detected with 95 %.
  package var smallestEffect: Double?
  /// The number of trials: requests that no rate limit rejected, for the side with fewer of them.
  package var requests: Int
  /// Why the metric has no result; nil with one.
  package var gap: String?
  /// Fingerprints of the findings that explain why it is broken.
  package var findings: [String] = []

  package init(operation: String, metric: Metric, verdict: RowVerdict, margin: Double, requests: Int) {
    self.operation = operation
    self.metric = metric
    self.verdict = CheckState(trials: requests, isBroken: verdict == .fail, isOpen: verdict.isOpen).verdict
    self.margin = margin
    self.requests = requests
  }

  /// A change for people: `+5.2%`, `-0.3%`, `×12.5`, `+0.31 points`.
  package func text(_ change: Double) -> String {
    if metric != .errors, change > 9 { return Figure.factor(1 + change) }
    let sign = change < 0 ? "-" : "+"
    let share = percentText(change.magnitude)
    return metric == .errors ? "\(sign)\(share.dropLast()) points" : sign + share
  }

  /// The observation, without a full stop.
  package var statement: String {
    if let gap { return gap }
    guard let change else { return "no samples were measured" }
    let interval = zip([low].compactMap(\.self), [high].compactMap(\.self)).map { " (\(text($0)) .. \(text($1)))" }
    let seen = smallestEffect.map {
      $0 > 999 ? "; the runs differ too much to detect a change" : "; a change of \(text($0)) or more was detectable"
    }
    let isLikely = verdict == .noData && low.map { $0 > margin } == true
    return "\(text(change))\(interval.first ?? "") compared with the baseline\(seen ?? "")"
      + (isLikely ? "; it is probably worse, but these runs do not prove it" : "")
  }
}
