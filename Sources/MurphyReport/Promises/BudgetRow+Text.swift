import MurphyModel

extension BudgetRow {
  /// Who is meant, in words.
  package var subject: String { operation == "*" ? "all operations" : operation }

  /// Whether more is better, as it is for throughput.
  package var isFloor: Bool { metric == "throughput" || metric == "rate" || metric == "ok" }

  /// `listLaws p95 ≤ 300ms`
  package var title: String { "\(subject) \(metric) \(isFloor ? "≥" : "≤") \(limit)" }

  package var sentence: String {
    let enough = "\(Figure.count(samples).text) \(samples == 1 ? "sample" : "samples")"
    guard let observed else { return "no sample; \(Figure.count(samplesNeeded).text) needed" }
    if verdict == .noData { return "\(enough), \(Figure.count(samplesNeeded).text) needed" }
    return "\(Self.rounded(observed)) over \(enough)"
  }

  /// What was observed, as far as its digits matter.
  package var observedText: String? { observed.map(Self.rounded) }

  /// A time to three significant digits; anything else as it is.
  private static func rounded(_ observed: String) -> String {
    guard let value = Quantity(observed), value.dimension == .time else { return observed }
    return Figure.latency(value.value * 1e6).text
  }

  /// Observed over limit, both read as values with a unit; nil when either cannot be.
  package var utilisation: Double? {
    guard let observed, let value = Quantity(observed), let bound = Quantity(limit), bound.value > 0,
      value.dimension == bound.dimension
    else { return nil }
    return value.value / bound.value
  }
}
