/// A latency, error or throughput budget of a scenario.
public struct Budget: Sendable, Hashable {
  /// The metric that a budget limits.
  public enum Metric: Sendable, Hashable {
    /// A percentile of latency, from the intended start: `p95` is 95.
    case latency(percentile: Double)
    /// A percentile of service time, from the actual send.
    case service(percentile: Double)
    case meanLatency
    case maxLatency
    case meanService
    case maxService
    /// The share of finished requests with a client error, server error or transport failure.
    case errors
    /// The minimum of responses per second that no rate limit rejected.
    case throughput

    /// `p95`, `service p99`, `errors` …
    package var name: String {
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

    /// The percentile that is limited, in percent; 100 for a maximum, nil for metrics without one.
    package var percentile: Double? {
      switch self {
      case .latency(let percentile), .service(let percentile): percentile
      case .maxLatency, .maxService: 100
      case .meanLatency, .meanService, .errors, .throughput: nil
      }
    }

    /// True if times count from the actual send.
    package var isService: Bool {
      switch self {
      case .service, .meanService, .maxService: true
      default: false
      }
    }
  }

  /// The limit of a budget.
  public enum Limit: Sendable, Hashable {
    case atMost(Duration)
    /// A share from 0 to 1.
    case share(Double)
    case atLeast(Rate)

    /// The limit as a number with its unit.
    package var measure: Measure {
      switch self {
      case .atMost(let duration): Measure(Double(duration.nanoseconds) / 1000, .microseconds)
      case .share(let share): Measure(share, .share)
      case .atLeast(let rate): Measure(rate.perSecond, .perSecond)
      }
    }

    /// `300 ms`, `0.1%`, `20/s`
    package var text: String { measure.text }
  }

  /// The operationId, or `*` for all operations together.
  public var operation: String
  /// The metric that is limited.
  public var metric: Metric
  /// The limit.
  public var limit: Limit

  /// A budget for an operation, or for `*`.
  public init(operation: String, metric: Metric, limit: Limit) {
    self.operation = operation
    self.metric = metric
    self.limit = limit
  }
}

extension Budget.Metric: Codable {
  /// The metric of that ``name``; nil if there is none.
  package init?(name: String) {
    let simple: [Self] = [.meanLatency, .maxLatency, .meanService, .maxService, .errors, .throughput]
    if let found = simple.first(where: { $0.name == name }) {
      self = found
      return
    }
    let isService = name.hasPrefix("service ")
    let rest = isService ? name.dropFirst(8) : name[...]
    guard rest.first == "p", let percentile = Double(rest.dropFirst()), percentile > 0, percentile <= 100 else {
      return nil
    }
    self = isService ? .service(percentile: percentile) : .latency(percentile: percentile)
    guard self.name == name else { return nil }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let metric = Self(name: name) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown metric \"\(name)\"")
    }
    self = metric
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

/// A share in percent with at most four significant digits: `0.1%`, `12.5%`.
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

/// The sensitivity of a passed latency budget: the slowdown of the API that would have broken it (docs/strength.md §3).
package struct BudgetStrength: Sendable, Codable, Hashable {
  /// A slowdown of every request, as a factor and as an added time; each breaks the budget.
  package struct Slowdown: Sendable, Codable, Hashable {
    /// The slowdown factor less one: 0.74 is 74 % slower.
    package var share: Double
    /// The time added to every request.
    @InMicroseconds package var added: Duration

    package init(share: Double, added: Duration) {
      self.share = share
      self.added = added
    }
  }

  /// The maximum share of requests over the limit, from 0 to 1, with 95 %. It applies to the API as it was in this run.
  package var overAtMost: Double?
  /// The smallest slowdown that would have broken the budget in this run; nil if none within the limit's range would.
  package var inThisRun: Slowdown?
  /// The smallest slowdown that would have broken it with 95 % in a run like this; nil if none is certain to.
  package var likely: Slowdown?
  /// The shortest freeze of the API that would have broken it with 95 % at a random time; nil if none within
  /// the run would.
  @InSeconds package var stall: Duration?
  /// The seconds of the run that it is based on: below 120 the figures are rough.
  package var seconds: Int

  package init(seconds: Int) { self.seconds = seconds }
}
