import MurphyJudge

extension VersionSpace {
  /// The bursts that explain all admissions (at least) and all refusals (at most), for a range of intervals; nil for
  /// none. O(n).
  ///
  /// Both bounds fall with the rate: the quickest bucket needs the smallest burst, the slowest leaves the largest.
  static func bursts(
    _ evidence: ProbeEvidence, _ interval: (low: Double, high: Double)
  ) -> (low: Int, high: Int)? {
    var rate = 1 / interval.low
    var least = 0.0
    var peak = -Double.infinity
    for k in evidence.sent.indices {
      peak = max(peak, evidence.sent[k] * rate - Double(k))
      least = max(least, Double(k + 1) - (evidence.settled[k] + LimitTerms.slack) * rate + peak)
    }
    guard !evidence.refused.isEmpty else { return (max(1, Int(saturating: (least - 1e-6).rounded(.up))), 1_000_000) }
    rate = 1 / interval.high
    var latest: [Double] = []
    latest.reserveCapacity(evidence.settled.count)
    var reach = -Double.infinity
    for k in evidence.settled.indices {
      reach = max(reach, evidence.settled[k] * rate - Double(k))
      latest.append(reach)
    }
    var most = Double.infinity
    var sent = 0
    for refusal in evidence.refused {
      let settled = evidence.settled.count(upTo: refusal.sent)
      sent = evidence.sent.count(upTo: refusal.settled)
      var queue = -Double.infinity
      if settled > 0 { queue = latest[settled - 1] - refusal.sent * rate }
      if settled < evidence.settled.count { queue = max(queue, -Double(settled)) }
      most = min(most, Double(sent) + queue)
    }
    let low = max(1, Int(saturating: (least - 1e-6).rounded(.up)))
    let bound = most + LimitTerms.slack * rate
    let high = bound.isFinite && bound < 1e9 ? Int(saturating: (bound + 1).rounded(.up)) - 1 : 1_000_000
    return low <= high ? (low, high) : nil
  }
}
