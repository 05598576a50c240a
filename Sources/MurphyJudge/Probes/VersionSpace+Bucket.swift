import Foundation

extension VersionSpace {
  /// For each interval on a logarithmic grid the bursts that admissions and refusals leave possible.
  mutating func fitBucket(_ evidence: ProbeEvidence) -> [ProbeParticle] {
    var range = ranges[.bucket]!
    var found: [(interval: Double, low: Int, high: Int)] = []
    let count = 200
    var step = 0.0
    var narrowed = range
    for _ in 0..<4 {
      step = log(range.high / range.low) / Double(count)
      found = []
      for index in 0..<count {
        let interval = Self.grid(range, index, of: count)
        let bursts = bursts(evidence, interval)
        if bursts.low <= bursts.high, let fit = permitted(bursts.low, min(bursts.high, bursts.low + 500)) {
          found.append((interval, fit.low, fit.high))
        }
      }
      guard let first = found.first, let last = found.last else { break }
      narrowed = (first.interval * exp(-step * 0.6), last.interval * exp(step * 0.6))
      if log(narrowed.high / narrowed.low) > 0.5 * log(range.high / range.low) { break }
      range = narrowed
    }
    guard !found.isEmpty else {
      alive.remove(.bucket)
      return []
    }
    ranges[.bucket] = narrowed
    return found.compactMap { fit in
      let burst = (fit.low + fit.high) / 2
      let window = fit.interval * Double(burst)
      guard window <= Self.longestWindow * 1.2 else { return nil }
      return ProbeParticle(
        hypothesis: .bucket, allowance: burst, window: window, phase: 0, weight: step * Self.mass(fit.low, fit.high))
    }
  }

  /// The bursts that explain all admissions (at least) and all refusals (at most), for one interval. O(n).
  private func bursts(_ evidence: ProbeEvidence, _ interval: Double) -> (low: Int, high: Int) {
    let rate = 1 / interval
    var least = 0.0
    var peak = -Double.infinity
    for k in evidence.sent.indices {
      peak = max(peak, evidence.sent[k] * rate - Double(k))
      least = max(least, Double(k + 1) - (evidence.settled[k] + LimitTerms.slack) * rate + peak)
    }
    guard !evidence.refused.isEmpty else { return (max(1, Int((least - 1e-6).rounded(.up))), 1_000_000) }
    var latest: [Double] = []
    latest.reserveCapacity(evidence.settled.count)
    var high = -Double.infinity
    for k in evidence.settled.indices {
      high = max(high, evidence.settled[k] * rate - Double(k))
      latest.append(high)
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
    let low = max(1, Int((least - 1e-6).rounded(.up)))
    let bound = most + LimitTerms.slack * rate
    return (low, bound.isFinite && bound < 1e9 ? Int((bound + 1).rounded(.up)) - 1 : 1_000_000)
  }
}
