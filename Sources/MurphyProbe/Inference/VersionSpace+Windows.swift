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
