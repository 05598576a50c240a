import Foundation
import MurphyJudge

extension VersionSpace {
  /// The allowances that no informative request contradicts, for all aligned windows of a box.
  static func allowances(_ evidence: ProbeEvidence, _ box: TermBox, isCounter: Bool) -> (low: Int, high: Int)? {
    var low = 1
    var high = 1_000_000
    var window: CountedWindow?
    for (index, request) in evidence.telling.enumerated() {
      let number = ((request.sent - box.middlePhase) / box.middleWindow).rounded(.down)
      if window?.number != number { window = CountedWindow(number, box, evidence) }
      guard let window, request.sent >= window.latest, request.settled < window.earliestEnd else { continue }
      let decided = evidence.settledBefore[index]
      let currentLow = max(0, decided - window.sentBeforeLatest)
      let currentHigh = evidence.sentBefore[index] - window.settledBefore
      if isCounter {
        let previousLow = Double(max(0, decided - window.sentBeforePrevious) - currentLow)
        var needed = 0.0
        if request.admitted {
          needed = previousLow * (1 - window.mostGone(at: request.settled)) + Double(currentLow)
        }
        if currentLow >= 1 {
          needed = max(needed, previousLow * (1 - window.mostGone(at: request.sent)) + Double(currentLow - 1))
        }
        if request.admitted || currentLow >= 1 { low = max(low, Int(saturating: (needed + 1e-9).rounded(.down)) + 1) }
        if !request.admitted {
          let previous = Double(window.settledBefore - window.settledBeforePrevious)
          let estimate = previous * (1 - window.leastGone(at: request.sent)) + Double(currentHigh)
          high = min(high, Int(saturating: (estimate + 1e-9).rounded(.down)))
        }
      } else {
        low = max(low, currentLow + (request.admitted ? 1 : 0))
        if !request.admitted { high = min(high, currentHigh) }
      }
      if low > high { return nil }
    }
    return (low, high)
  }

  /// The known facts of one window, for all limiters of a box.
  private struct CountedWindow {
    let number: Double
    /// The earliest and the latest beginning; the earliest end.
    let earliest: Double
    let latest: Double
    let earliestEnd: Double
    /// The maximum and minimum of admissions before it; the same for the previous window.
    let sentBeforeLatest: Int
    let settledBefore: Int
    let sentBeforePrevious: Int
    let settledBeforePrevious: Int
    private let window: (low: Double, high: Double)

    init(_ number: Double, _ box: TermBox, _ evidence: ProbeEvidence) {
      func begin(_ number: Double) -> (earliest: Double, latest: Double) {
        let (short, long) = number >= 0 ? (box.window.low, box.window.high) : (box.window.high, box.window.low)
        return (
          box.phase.low + number * short - LimitTerms.slack, box.phase.high + number * long + LimitTerms.slack
        )
      }
      self.number = number
      window = box.window
      (earliest, latest) = begin(number)
      earliestEnd = begin(number + 1).earliest
      let previous = begin(number - 1)
      sentBeforeLatest = evidence.sent.count(below: latest)
      settledBefore = evidence.settled.count(below: earliest)
      sentBeforePrevious = evidence.sent.count(below: previous.latest)
      settledBeforePrevious = evidence.settled.count(below: previous.earliest)
    }

    /// The maximum part of the window that may have passed.
    func mostGone(at moment: Double) -> Double { min(max((moment - earliest) / window.low, 0), 1) }
    /// The minimum.
    func leastGone(at moment: Double) -> Double { min(max((moment - latest) / window.high, 0), 1) }
  }
}

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
