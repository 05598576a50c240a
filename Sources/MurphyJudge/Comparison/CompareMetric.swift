import Foundation

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
    if isRatio, difference > log(10) { return "×" + String(format: "%.1f", exp(difference)) }
    let percent = (isRatio ? expm1(difference) : difference) * 100
    let digits = percent.magnitude < 0.095 ? 2 : percent.magnitude < 99.5 ? 1 : 0
    let unit = isRatio ? "%" : " points"
    return (percent < 0 ? "−" : "+") + String(format: "%.\(digits)f", percent.magnitude) + unit
  }
}

extension CompareMetric {
  /// The title in a table.
  package var title: String {
    switch self {
    case .requestsPerSession: "requests/session"
    case .limited: "rejected by a limit"
    case .bytes: "bytes/response"
    default: rawValue
    }
  }

  /// `12.3 ms`, `0.40%`, `118/s`
  package func valueText(_ value: Double) -> String {
    if value.magnitude < 1e-9 { return isShare ? "0%" : "0" }
    return switch self {
    case .p50, .p95, .p99:
      value < 1000
        ? String(format: "%.0f µs", value) : String(format: value < 1e5 ? "%.2f ms" : "%.0f ms", value / 1000)
    case .errors, .limited: String(format: "%.2f%%", value * 100)
    case .throughput: String(format: "%.1f/s", value)
    case .bytes: String(format: "%.0f B", value)
    case .requestsPerSession: String(format: "%.2f", value)
    }
  }
}
