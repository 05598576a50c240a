import Foundation
import MurphyModel

/// The comparison of one metric of one operation.
package struct CompareRow: Sendable, Codable {
  /// The compared metric.
  package var metric: CompareMetric
  /// True if it affects the verdict; the other rows are only shown.
  package var decides: Bool
  /// Nil for a row that does not decide.
  package private(set) var verdict: RowVerdict?
  /// The reason why a result is missing; nil where it exists.
  package var gap: String?
  /// The number of trials: requests that no rate limit rejected, of the arm with fewer of them.
  package var requests = 0
  /// Microseconds, a share, responses per second, bytes or requests.
  package var base: Double?
  /// In the unit of `base`; nil if it was not measured.
  package var candidate: Double?
  /// The worsening of the candidate: 0.05 for 5 % slower, or a difference of shares; negative where it is better.
  package var change: Double?
  /// The 90 % interval of the true change.
  package var low: Double?
  /// The upper end of the 90 % interval.
  package var high: Double?
  /// One-sided, for this row alone.
  package var pValue: Double?
  /// Corrected for all rows that decide.
  package var correctedPValue: Double?
  /// The slowdown that must be ruled out for a pass.
  package var margin: Double
  /// The minimum slowdown for a failure of the row.
  package var floor = 0.0
  /// The smallest slowdown that would have been detected with 95 %.
  package var smallestEffect: Double?
  /// Live: by group, logarithms of ratios or differences of shares, positive where the candidate is worse. The p-values
  /// depend only on them.
  package var differences: [Double] = []
  /// Stored: the levels by run, logarithms or shares.
  package var baseRuns: [Double] = []
  /// Stored: the levels by run, logarithms or shares.
  package var candidateRuns: [Double] = []
  /// Stored: the effect of one unit of the control's level on this one; nil without a control.
  package var controlSlope: Double?

  package init(metric: CompareMetric, decides: Bool) {
    self.metric = metric
    self.decides = decides
    margin = metric.margin
  }

  /// Sets the result of the samples for a row that decides: not tested without requests.
  package mutating func decide(_ verdict: RowVerdict) {
    guard decides else { return }
    self.verdict = CheckState(trials: requests, isBroken: verdict == .fail, isOpen: verdict.isOpen).verdict
  }

  /// - Parameters: on the scale of the differences.
  mutating func enter(mean: Double, interval: ClosedRange<Double>?) {
    change = shown(mean)
    low = interval.map { shown($0.lowerBound) }
    high = interval.map { shown($0.upperBound) }
  }

  mutating func enter(smallest: Double?) { smallestEffect = smallest.map(shown) }

  private func shown(_ difference: Double) -> Double { metric.isRatio ? expm1(difference) : difference }

  /// The decision: `worse`, `within +5.0%`, `no data`; empty for a row that decides nothing.
  package var word: String {
    switch verdict {
    case .fail: "worse"
    case .pass: "within \(text(margin))"
    case .noData: "no data"
    case .notTested: "not tested"
    case nil: ""
    }
  }

  /// Corrected for all rows where that value exists: `0.0123`; empty without one.
  package var pText: String {
    guard let value = correctedPValue ?? pValue else { return "" }
    return value < 0.0001 ? "<0.0001" : String(format: "%.4f", value)
  }

  /// `+1.2% .. +9.4%`, the lower end first; nil without an interval.
  package var intervalText: String? { interval(joinedBy: " .. ") }

  func interval(joinedBy word: String) -> String? {
    guard let low, let high else { return nil }
    let ends = metric.isBetterHigher ? [high, low] : [low, high]
    return ends.map(text).joined(separator: word)
  }

  /// The effect of a worsening on the value: `+5.2%`, `+0.31 points`, `−4.9%` of a throughput.
  package func text(_ change: Double) -> String { metric.text(metric.isRatio ? log1p(change) : change) }
}

/// All rows of one operation.
package struct CompareOperation: Sendable, Codable {
  /// The operationId.
  package var operation: String
  /// One row for each metric.
  package var rows: [CompareRow]
  /// All latencies of both arms; nil in a file of an earlier murphy.
  package var latencies: CompareLatencies?

  /// The row of a metric.
  package subscript(metric: CompareMetric) -> CompareRow? { rows.first { $0.metric == metric } }
}

/// The latencies of one operation in both arms, from the intended starts, over all groups or stored runs.
///
/// Requests that were cancelled count with the time that they waited.
package struct CompareLatencies: Sendable, Codable, Hashable {
  /// The unit of the values.
  package var unit = "ns"
  /// Value and count of each bucket, ascending: `[value, count, value, count …]`.
  package var base: [Int64]
  /// In the format of `base`.
  package var candidate: [Int64]

  init(base: [ArmSample], candidate: [ArmSample]) {
    self.base = Self.pairs(base)
    self.candidate = Self.pairs(candidate)
  }

  private static func pairs(_ samples: [ArmSample]) -> [Int64] {
    SmoothQuantile.merged(samples.map(\.latencies)).flatMap { [$0.value, Int64(clamping: $0.count)] }
  }

  /// The histogram in a file; values below 0 and counts below 1 are left out.
  package static func histogram(_ pairs: [Int64]) -> LatencyHistogram {
    var histogram = LatencyHistogram()
    for index in stride(from: 0, to: pairs.count - 1, by: 2) where pairs[index] >= 0 && pairs[index + 1] > 0 {
      histogram.record(pairs[index], count: UInt64(pairs[index + 1]))
    }
    return histogram
  }
}

/// A metric for the comparison of an operation.
package enum CompareMetric: String, Sendable, Codable, Hashable, CaseIterable {
  case p50, p95, p99
  /// The share of errors, from 0 to 1.
  case errors
  /// The share of requests that a rate limit rejected, from 0 to 1.
  case limited
  /// Responses per second.
  case throughput
  /// Bytes of body per response.
  case bytes
  /// Requests per session that began.
  case requestsPerSession = "requests_per_session"

  /// The metrics that decide by default; the others are only shown.
  package static let usual: [CompareMetric] = [.p50, .p99, .errors]

  /// The metrics that can decide.
  package static let deciding: [CompareMetric] = [.p50, .p95, .p99, .errors, .throughput]

  /// The slowdown that must be ruled out for a pass: a ratio less one, or a difference of shares.
  package var margin: Double {
    switch self {
    case .p50, .throughput: 0.05
    case .p95: 0.07
    case .p99: 0.10
    case .errors, .limited: 0.005
    case .bytes, .requestsPerSession: 0.10
    }
  }

  /// From 0 to 1; nil for a metric that is not a quantile.
  package var quantile: Double? {
    switch self {
    case .p50: 0.5
    case .p95: 0.95
    case .p99: 0.99
    case .errors, .limited, .throughput, .bytes, .requestsPerSession: nil
    }
  }

  /// True if it is a share of the requests, from 0 to 1.
  package var isShare: Bool { self == .errors || self == .limited }

  /// True if arms are compared by the logarithm of their ratio.
  package var isRatio: Bool { !isShare }

  /// The minimum of requests of one arm in one group: the smooth p99 uses quantiles up to p99.5, and one request of 200
  /// is above it.
  package var fewestRequests: Int {
    switch self {
    case .p50: 20
    case .p95: 60
    case .p99: 200
    case .errors, .limited, .throughput, .bytes, .requestsPerSession: 1
    }
  }

  /// True if a higher value is better, so that a decrease is a worsening.
  package var isBetterHigher: Bool { self == .throughput }

  /// The margin on the scale of the differences, which is logarithmic for ratios.
  package var difference: Double { isRatio ? log1p(margin) : margin }

  /// The effect of a worsening on the value: `+5.2%` of a latency, `−4.9%` of a throughput, `×12.5` of ten times as
  /// much and more; shares change by percentage points. Its sign matches the two values next to it.
  package func text(_ worsening: Double) -> String {
    let difference = isBetterHigher ? -worsening : worsening
    if difference == 0 { return isRatio ? "0%" : "0 points" }
    if isRatio, difference > log(10) { return Figure.factor(exp(difference)) }
    let percent = (isRatio ? expm1(difference) : difference) * 100
    let digits = percent.magnitude < 0.095 ? 2 : percent.magnitude < 99.5 ? 1 : 0
    let unit = isRatio ? "%" : " points"
    return (percent < 0 ? "−" : "+") + String(format: "%.\(digits)f", percent.magnitude) + unit
  }

  /// The title in a table.
  package var title: String {
    switch self {
    case .requestsPerSession: "requests/session"
    case .limited: "rejected by a limit"
    case .bytes: "bytes/response"
    default: rawValue
    }
  }

  /// `12.3 ms`, `0.4%`, `118/s`
  package func valueText(_ value: Double) -> String {
    if value.magnitude < 1e-9 { return isShare ? "0%" : "0" }
    return switch self {
    case .p50, .p95, .p99: Figure.latency(.microseconds(saturating: value)).text
    case .errors, .limited: Figure.percent(value, 2).text
    case .throughput: Figure.rate(value).text
    case .bytes: Figure.bytes(Int(saturating: value)).text
    case .requestsPerSession: Figure.decimals(value, 2)
    }
  }
}
