import Foundation
import MurphyJudge

extension VersionSpace {
  /// The windows that each allowance leaves possible, in closed form: a refusal needs L counted within W before it, and
  /// L + 1 admissions need more than W. Only some allowances are tried, so what fits none is not given up: the right
  /// allowance may be among those that later bursts show.
  func fitLog(
    _ hypothesis: ProbeHypothesis, _ evidence: ProbeEvidence, _ allowances: [Int]
  ) -> [ProbeParticle] {
    let range = logs[hypothesis]!
    var particles: [ProbeParticle] = []
    for allowance in allowances {
      guard
        let fit = hypothesis == .log ? windows(evidence, allowance) : windowsCountingRefused(evidence, allowance),
        fit.low <= fit.high + 2 * LimitTerms.slack
      else { continue }
      let from = max(max(fit.low - LimitTerms.slack, 0.05), range.low)
      var to = min(fit.high + LimitTerms.slack, range.high)
      guard from <= to * 1.0005 else { continue }
      to = max(to, from * 1.0005)
      let steps = 7
      for index in 0..<steps {
        particles.append(
          ProbeParticle(
            hypothesis: hypothesis, allowance: allowance, window: Self.grid((from, to), index, of: steps), phase: 0,
            weight: log(to / from) / Double(steps) / Double(allowance)))
      }
    }
    return particles
  }

  private func windows(_ evidence: ProbeEvidence, _ allowance: Int) -> (low: Double, high: Double)? {
    var high = Double.infinity
    if evidence.sent.count > allowance {
      for k in 0..<(evidence.sent.count - allowance) {
        high = min(high, evidence.settled[k + allowance] - evidence.sent[k])
      }
    }
    var low = 0.0
    for refusal in evidence.refused {
      let before = evidence.sent.count(upTo: refusal.settled)
      guard before >= allowance else { return nil }
      low = max(low, refusal.sent - evidence.settled[before - allowance])
    }
    return (low, high)
  }

  private func windowsCountingRefused(_ evidence: ProbeEvidence, _ allowance: Int) -> (low: Double, high: Double)? {
    var high = Double.infinity
    for admission in evidence.admitted {
      let before = evidence.allSettled.count(below: admission.sent)
      if before >= allowance { high = min(high, admission.settled - evidence.allSent[before - allowance]) }
    }
    if evidence.sent.count > allowance {
      for k in 0..<(evidence.sent.count - allowance) {
        high = min(high, evidence.settled[k + allowance] - evidence.sent[k])
      }
    }
    var low = 0.0
    for refusal in evidence.refused {
      // Itself is the latest of those sent by then.
      let before = evidence.allSent.count(upTo: refusal.settled) - 1
      guard before >= allowance else { return nil }
      low = max(low, refusal.sent - evidence.allSettled[before - allowance])
    }
    return (low, high)
  }
}
