import MurphyModel

extension BudgetRow {
  /// Who is meant, in words.
  package var subject: String { operation == "*" ? "all operations" : operation }

  /// `listLaws p95 ≤ 300ms`
  package var title: String { "\(subject) \(metric.name) \(isFloor ? "≥" : "≤") \(limit.text)" }

  package var sentence: String {
    let enough = "\(Figure.count(samples).text) \(samples == 1 ? "sample" : "samples")"
    guard let observed = shownText else { return "no sample; \(Figure.count(samplesNeeded).text) needed" }
    if verdict == .noData {
      return undecided.map { "\(observed) over \(enough): \($0.sentence)" }
        ?? "\(enough), \(Figure.count(samplesNeeded).text) needed"
    }
    return "\(observed) over \(enough)" + basis
  }

  /// What of the samples was not seen, and how the row was decided all the same.
  private var basis: String {
    if let shareAtMost { return "; with 95% confidence at most \(percentText(shareAtMost)) fail" }
    guard limit.unit == .microseconds, let unanswered, unanswered > 0 else { return "" }
    let missing = ", \(Figure.count(unanswered).text) without an answer"
    guard let patient else { return missing }
    return
      "\(missing); decided over the \(Figure.count(patient).text) that the person let wait for longer than \(limit.text)"
  }

  /// What was observed, as far as its digits matter: a time to three significant digits, anything else as it is.
  package var shownText: String? {
    guard let observed, observed.unit == .microseconds else { return observedText }
    return Figure.interval(LatencyInterval(low: observed.low, high: observed.high))
  }

  /// Observed over limit; nil without samples.
  package var utilisation: Double? {
    guard let observed, observed.unit == limit.unit, limit.value > 0 else { return nil }
    return (observed.high ?? observed.low) / limit.value
  }
}
