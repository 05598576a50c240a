import MurphyJudge
import MurphyModel

/// Whether the quota was whole at the first burst.
///
/// A probe that begins shortly after other requests finds a part of the quota. A bucket of 21 tokens with 5 left looks
/// like one of 5 with the same rate, until a wait is longer than 5 tokens take. So the result of a black box
/// needs a wait of two found windows, and the whole quota after it. If that burst gets more, the requests before it say
/// nothing about the quota: the probe continues from this burst, and waits again. Each wait at least doubles.
extension Prober {
  /// The wait in windows. Up to one, a part of a quota and a whole one of the same rate return the same.
  private static let fullingWindows = 2.1

  /// True if a result of this kind needs the wait. A window or a sliding log returns the whole quota at its end.
  func needsFullness(_ posterior: ProbePosterior) -> Bool {
    options.declared == nil && !isFull && [.bucket, .counter].contains(posterior.best)
  }

  /// Plans the wait and the burst; false if they are not due.
  mutating func testFullness() -> Bool {
    guard let posterior, needsFullness(posterior), isConfirmed(posterior) else { return false }
    let most = posterior.possibleAllowances.upperBound
    awaited = (most, posterior.interval)
    pending = [
      ProbeDesign.Step(
        pause: Self.fullingWindows * posterior.window.high,
        count: Int(saturating: Self.fullingWindows * Double(most)) + 20, refusals: 3)
    ]
    return true
  }

  /// Compares the burst after the wait with the quota found before.
  mutating func judgeFullness(_ observations: [ProbeObservation]) {
    guard let expected = awaited else { return }
    awaited = nil
    let admitted = observations.count { $0.decision == .admitted }
    let begin = observations.map(\.sent).min() ?? now
    let span = now - begin
    guard admitted > expected.allowance + Int(saturating: (span / expected.interval).rounded(.up)) else {
      // Without a rejection, lost responses leave it open.
      isFull = observations.contains { $0.decision == .refused }
      return
    }
    decided.removeAll { $0.sent < begin }
    (others, candidates, bracket) = ([:], [admitted], nil)
    (posterior, particles, trial, trials, rounds) = (nil, [], nil, 0, 0)
    (firstBurst, largestBurst, firstBurstEnd, keysEnd) = (admitted, admitted, now, now)
    firstBurstRide = observations.map(\.ride).max() ?? 0
    space = newSpace(known: nil, release: now)
  }
}
