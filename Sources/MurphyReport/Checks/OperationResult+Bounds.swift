import MurphyModel

extension OperationResult {
  /// The percentiles that a report shows, over all due requests; nil if there were none.
  package var shownLatency: ShownPercentiles? { ShownPercentiles(latencyBounds, latency) }

  /// The same from the actual send.
  package var shownService: ShownPercentiles? { ShownPercentiles(serviceBounds, service) }

  /// `listLaws: 205 of 412 scheduled requests have no complete response: 67 timed out, 138 in flight at the end`;
  /// nil if all have one.
  package var unansweredText: String? {
    guard let samples, let censored, censored.unanswered > 0 else { return nil }
    let count = censored.unanswered.text
    return "\(operation): \(count) of \(counted(samples, "scheduled request")) have no complete response: "
      + censored.words
  }
}

extension RunResult {
  /// Latency of all operations together, over all due requests.
  package var allLatency: ShownPercentiles? {
    var whole = LatencyAccount()
    for operation in operations { whole.merge(operation.account) }
    return LatencyIntervals(LatencyDistribution(whole)).map(ShownPercentiles.init)
  }

  /// Due requests without a complete response.
  package var unanswered: Int { operations.reduce(0) { $0 + ($1.censored?.unanswered ?? 0) } }
}

/// Percentiles for the tables of a report.
package struct ShownPercentiles: Sendable {
  package var p50: LatencyInterval
  package var p95: LatencyInterval
  package var p99: LatencyInterval
  package var max: LatencyInterval

  package init(_ intervals: LatencyIntervals) {
    p50 = intervals.p50
    p95 = intervals.p95
    p99 = intervals.p99
    max = intervals.max
  }

  /// Only of the responses if an earlier version wrote no more; nil without any.
  init?(_ intervals: LatencyIntervals?, _ summary: LatencySummary) {
    if let intervals {
      self.init(intervals)
      return
    }
    guard summary.count > 0 else { return nil }
    self.init(exactly: summary)
  }

  private init(exactly summary: LatencySummary) {
    func exact(_ value: Duration) -> LatencyInterval { LatencyInterval(low: value, high: value) }
    p50 = exact(summary.p50)
    p95 = exact(summary.p95)
    p99 = exact(summary.p99)
    max = exact(summary.max)
  }

  /// In ascending order of the percentiles.
  package var all: [LatencyInterval] { [p50, p95, p99, max] }
}

/// One count of the outcomes of an operation's requests.
package struct RequestEnd: Sendable, Hashable {
  package var name: String
  /// The stylesheet's class.
  package var style: String
  package var count: Int
  /// The part of it that has another name.
  package var note: String?
}

extension OperationResult {
  /// Six figures with the number of sent requests as their sum. Nil for results of versions that did not count them.
  package var shownEnds: [RequestEnd]? { ends?.shown }

  /// `281 of 307 responses have violations`; nil if no violating response was counted.
  var violationText: String? {
    if let ends, ends.violating > 0 { return Self.text(ends.violating, of: ends.responses) }
    if let conformance, conformance.violating > 0 { return Self.text(conformance.violating, of: conformance.responses) }
    return nil
  }

  private static func text(_ violating: Int, of answers: Int) -> String {
    "\(violating.text) of \(counted(answers, "response")) \(violating == 1 ? "has a violation" : "have violations")"
  }
}

extension RequestEnds {
  package var shown: [RequestEnd] {
    [
      RequestEnd(name: "ok", style: "ok", count: ok),
      RequestEnd(name: "violating", style: "server", count: violating),
      RequestEnd(name: "unchecked", style: "unchecked", count: unchecked),
      RequestEnd(name: "refused", style: "limited", count: refused),
      RequestEnd(name: "errors", style: "client", count: errors),
      RequestEnd(
        name: "unanswered", style: "lost", count: unanswered + cancelled,
        note: cancelled == 0 ? nil : "\(cancelled.text) cancelled"),
    ]
  }
}

extension RunResult {
  /// The sum over all operations; nil if one was not counted in this way.
  package var allEnds: RequestEnds? {
    var sum = RequestEnds()
    for operation in operations {
      guard let ends = operation.ends else { return nil }
      sum += ends
    }
    return sum
  }
}

/// The share of a phase in the service time of responses.
package struct PhaseShare {
  package let phase: PhaseSummary.Phase
  /// The share, from 0 to 1.
  package let share: Double

  /// The shares in all responses of the operations, in the order of the phases; empty without responses.
  package static func shares(of operations: [OperationResult]) -> [PhaseShare] {
    let times = PhaseSummary.Phase.allCases.map { phase in
      operations.reduce(0.0) { sum, operation in
        guard let summary = operation.phases?.all.first(where: { $0.phase == phase })?.summary else { return sum }
        return sum + summary.mean.inMicroseconds * Double(summary.count)
      }
    }
    let total = times.reduce(0, +)
    guard total > 0 else { return [] }
    return zip(PhaseSummary.Phase.allCases, times).map { PhaseShare(phase: $0, share: $1 / total) }
  }

  /// `first byte 93 %, body 4 %`: phases of at least 1 %, the largest first.
  package static func words(of operations: [OperationResult], most: Int = 5) -> String {
    shares(of: operations).filter { $0.share >= 0.01 }.sorted { $0.share > $1.share }.prefix(most)
      .map { "\($0.phase.words) \(Figure.percent($0.share, 0).text)" }.joined(separator: ", ")
  }
}
