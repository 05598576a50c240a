import Foundation

extension VersionSpace {
  /// For each window on a grid the allowances that a chain of windows, each begun by a request, leaves possible.
  mutating func fitFixed(_ evidence: ProbeEvidence) -> [ProbeParticle] {
    var range = ranges[.fixed]!
    var found: [(window: Double, low: Int, high: Int)] = []
    let count = 60
    var step = 0.0
    var narrowed = range
    for _ in 0..<3 {
      step = log(range.high / range.low) / Double(count)
      found = []
      for index in 0..<count {
        let window = Self.grid(range, index, of: count)
        guard let chain = Self.chain(evidence, window), let fit = permitted(chain.low, chain.high) else { continue }
        found.append((window, fit.low, min(fit.high, fit.low + 50)))
      }
      guard let first = found.first, let last = found.last else { break }
      narrowed = (first.window * exp(-step * 0.6), last.window * exp(step * 0.6))
      if log(narrowed.high / narrowed.low) > 0.5 * log(range.high / range.low) { break }
      range = narrowed
    }
    guard !found.isEmpty else {
      alive.remove(.fixed)
      return []
    }
    ranges[.fixed] = narrowed
    return found.map {
      ProbeParticle(
        hypothesis: .fixed, allowance: ($0.low + $0.high) / 2, window: $0.window, phase: 0,
        weight: step * Self.mass($0.low, $0.high))
    }
  }

  private struct Link {
    var low: Double
    var high: Double
    var first: Int
    /// Admissions from `first` on that are certainly inside, and the first that is certainly outside.
    var certainEnd: Int
    var possibleEnd: Int
  }

  private static func chain(_ evidence: ProbeEvidence, _ window: Double) -> (low: Int, high: Int)? {
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
      let certainEnd = settled.count(below: low + window - slack)
      let possibleEnd = sent.count(below: high + window + slack)
      links.append(Link(low: low, high: high, first: first, certainEnd: certainEnd, possibleEnd: possibleEnd))
      least = max(least, certainEnd - first)
      guard certainEnd < sent.count else { break }
      let nextLow = max(sent[certainEnd], low + window - slack)
      var nextHigh = settled[certainEnd]
      if certainEnd < possibleEnd {
        nextHigh = max(settled[min(possibleEnd, sent.count - 1)], nextLow)
      }
      first = certainEnd
      low = nextLow
      high = max(nextHigh, nextLow)
      if links.count > 400 { return nil }
    }
    let isAmbiguous = links.contains { $0.possibleEnd > $0.certainEnd }
    let starts = links.map(\.low)
    var most = Int.max
    for refusal in evidence.refused {
      var best = -1
      let index = starts.count(upTo: refusal.settled) - 1
      for candidate in [index, index - 1] where candidate >= 0 {
        let link = links[candidate]
        guard refusal.sent < link.high + window + slack else { continue }
        best = max(best, min(sent.count(upTo: refusal.settled), link.possibleEnd) - link.first)
      }
      if best < 0 {
        if isAmbiguous { continue }
        return nil
      }
      most = min(most, best)
    }
    return least <= most ? (least, most) : nil
  }
}
