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
    return "\(observed) over \(enough)"
  }

  /// Observed over limit, both read as values with a unit; nil when either cannot be.
  package var utilisation: Double? {
    guard let observed, let value = Quantity(observed), let bound = Quantity(limit), bound.value > 0,
      value.dimension == bound.dimension
    else { return nil }
    return value.value / bound.value
  }
}
