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
    guard let observed = observedText else { return "no sample; \(Figure.count(samplesNeeded).text) needed" }
    if verdict == .noData {
      return undecided.map { "\(observed) over \(enough): \($0.sentence)" }
        ?? "\(enough), \(Figure.count(samplesNeeded).text) needed"
    }
    return "\(observed) over \(enough)" + basis
  }

  /// What of the samples was not seen, and how the row was decided all the same.
  private var basis: String {
    if let shareAtMost { return "; with 95% confidence at most \(percentText(shareAtMost)) fail" }
    guard interval != nil, let unanswered, unanswered > 0 else { return "" }
    let missing = ", \(Figure.count(unanswered).text) without an answer"
    guard let patient else { return missing }
    return
      "\(missing); decided over the \(Figure.count(patient).text) that the person let wait for longer than \(limit)"
  }

  /// What was observed, as far as its digits matter.
  package var observedText: String? { interval.map(Figure.interval) ?? observed.map(Self.rounded) }

  /// A time to three significant digits; anything else as it is.
  private static func rounded(_ observed: String) -> String {
    guard let value = Quantity(observed), value.dimension == .time else { return observed }
    return Figure.latency(value.value * 1e6).text
  }

  /// Observed over limit, both read as values with a unit; nil when either cannot be.
  package var utilisation: Double? {
    if let interval, let bound = Quantity(limit), bound.dimension == .time, bound.value > 0 {
      return (interval.high ?? interval.low) / 1e6 / bound.value
    }
    guard let observed, let value = Quantity(observed), let bound = Quantity(limit), bound.value > 0,
      value.dimension == bound.dimension
    else { return nil }
    return value.value / bound.value
  }
}
