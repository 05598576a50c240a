/// A latency, error or throughput budget, as a scenario promises it.
public struct Budget: Sendable, Hashable {
  public enum Metric: Sendable, Hashable {
    /// A percentile of latency, from the intended start: `p95` is 95.
    case latency(percentile: Double)
    /// A percentile of service time, from the actual send.
    case service(percentile: Double)
    case meanLatency
    case maxLatency
    case meanService
    case maxService
    /// Share of finished requests that ended as client error, server error or transport failure.
    case errors
    /// Answers per second, at least.
    case throughput

    /// `p95`, `service p99`, `errors` …
    public var name: String {
      switch self {
      case .latency(let percentile): "p" + percentileText(percentile)
      case .service(let percentile): "service p" + percentileText(percentile)
      case .meanLatency: "mean"
      case .maxLatency: "max"
      case .meanService: "service mean"
      case .maxService: "service max"
      case .errors: "errors"
      case .throughput: "throughput"
      }
    }

    /// The percentile that is bounded, per cent; 100 for a maximum, nil where none is.
    public var percentile: Double? {
      switch self {
      case .latency(let percentile), .service(let percentile): percentile
      case .maxLatency, .maxService: 100
      case .meanLatency, .meanService, .errors, .throughput: nil
      }
    }

    /// Whether times run from the actual send.
    public var isService: Bool {
      switch self {
      case .service, .meanService, .maxService: true
      default: false
      }
    }
  }

  public enum Limit: Sendable, Hashable {
    case atMost(Duration)
    /// A share from 0 to 1.
    case share(Double)
    case atLeast(Rate)

    /// `300ms`, `0.1%`, `20/s`
    public var text: String {
      switch self {
      case .atMost(let duration): duration.text
      case .share(let share): percentText(share)
      case .atLeast(let rate): rate.text
      }
    }
  }

  /// The operationId, or `*` for all operations together.
  public var operation: String
  public var metric: Metric
  public var limit: Limit

  public init(operation: String, metric: Metric, limit: Limit) {
    self.operation = operation
    self.metric = metric
    self.limit = limit
  }
}

/// A share as per cent with at most four significant digits: `0.1%`, `12.5%`.
package func percentText(_ share: Double) -> String {
  let percent = share * 100
  guard percent != 0, percent.isFinite else { return "0%" }
  var scale = 1.0
  while (percent * scale).magnitude < 1000, scale < 1e6 { scale *= 10 }
  let rounded = (percent * scale).rounded() / scale
  return (rounded == rounded.rounded() ? String(Int(saturating: rounded)) : String(rounded)) + "%"
}

private func percentileText(_ percentile: Double) -> String {
  percentile == percentile.rounded() ? String(Int(saturating: percentile)) : String(percentile)
}
