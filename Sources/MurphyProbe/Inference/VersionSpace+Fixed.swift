import MurphyJudge

extension VersionSpace {
  private struct Link {
    var low: Double
    var high: Double
    /// The first admission that may be inside.
    var first: Int
    /// Admissions before it are certainly inside or earlier; it is the first one that is certainly outside.
    var certainEnd: Int
    var possibleEnd: Int
  }

  /// The possible allowances for a range of windows, in a chain of windows that each begin with a request. Nil for
  /// none.
  static func chain(_ evidence: ProbeEvidence, _ window: (low: Double, high: Double)) -> (low: Int, high: Int)? {
    let sent = evidence.sent
    let settled = evidence.settled
    guard !sent.isEmpty else { return nil }
    let slack = LimitTerms.slack
    var links: [Link] = []
    var first = 0
    var low = sent[0]
    var high = settled[0]
    var least = 1
    while true {
      let certainEnd = settled.count(below: low + window.low - slack)
      let possibleEnd = sent.count(below: high + window.high + slack)
      // Admissions that may belong to the previous window prove nothing.
      least = max(least, certainEnd - (links.last?.possibleEnd ?? 0))
      links.append(Link(low: low, high: high, first: first, certainEnd: certainEnd, possibleEnd: possibleEnd))
      guard certainEnd < sent.count, certainEnd > first else { break }
      let nextLow = max(sent[certainEnd], low + window.low - slack)
      var nextHigh = settled[certainEnd]
      if certainEnd < possibleEnd {
        nextHigh = max(settled[min(possibleEnd, sent.count - 1)], nextLow)
      }
      first = certainEnd
      low = nextLow
      high = max(nextHigh, nextLow)
    }
    let isAmbiguous = links.contains { $0.possibleEnd > $0.certainEnd }
    let starts = links.map(\.low)
    var most = 1_000_000
    for refusal in evidence.refused {
      var best = -1
      // The begins of windows are the less certain the more windows precede: it may be in any of several.
      for link in links[..<starts.count(upTo: refusal.settled)].reversed() {
        guard refusal.sent < link.high + window.high + slack else { break }
        best = max(best, min(sent.count(upTo: refusal.settled), link.possibleEnd) - link.first)
      }
      if best < 0 {
        guard isAmbiguous, mayBeWithinWindow(refusal, evidence, window.high + slack) else { return nil }
        continue
      }
      most = min(most, best)
    }
    return least <= most ? (least, most) : nil
  }
  /// True if some admission may have begun a window that was still active when the request was rejected.
  private static func mayBeWithinWindow(
    _ refusal: ProbeEvidence.Decided, _ evidence: ProbeEvidence, _ window: Double
  ) -> Bool {
    let before = evidence.sent.count(upTo: refusal.settled)
    let lasting = evidence.settled.count(below: refusal.sent - window)
    return before > lasting
  }
}
