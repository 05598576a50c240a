/// A bucket of B tokens that returns one token every T = W / B (equally GCRA with burst B).
///
/// Admissions, with TAT the theoretical arrival time of the next conforming request (full at the start):
///
///     x(k) = max(S(k), x(k-1), TAT − (B−1)·T);   contradiction when x(k) > R(k);   TAT = max(TAT, x(k)) + T
///
/// Rejections: j is unexplained when at every time t of its interval the lowest possible level of the bucket is at
/// least one token. The level is lowest when every possible request is decided at min(settled, t), all at once.
package enum TokenBucketRule: LimitRule {
  package static func overAdmits(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission? {
    let sent = trace.certainSent
    let settled = trace.certainSettled
    guard sent.count > terms.allowance else { return nil }
    let interval = terms.shortWindow / Double(terms.allowance)
    let tolerance = Double(terms.allowance - 1) * interval
    var arrival = -Double.infinity
    var last = -Double.infinity
    for k in 0..<sent.count {
      let x = max(sent[k] - terms.tick, max(last, arrival - tolerance))
      if x > settled[k] + LimitTerms.slack {
        return OverAdmission(hint: trace.certainRequests(endingAt: k, atLeast: terms.allowance + 1))
      }
      arrival = max(arrival, x) + interval
      last = x
    }
    return nil
  }

  package static func unexplainedRefusals(_ trace: LimitTrace, _ terms: LimitTerms, firstOnly: Bool) -> [Int] {
    guard !trace.refused.isEmpty else { return [] }
    let settled = trace.possibleSettled
    let burst = Double(terms.allowance)
    let rate = burst / terms.longWindow
    // The level just after the k-th possible request, each decided as late as possible.
    var levels: [Double] = []
    levels.reserveCapacity(settled.count)
    var level = trace.startsQuiet ? burst : 0
    var at = trace.startsQuiet ? -Double.infinity : trace.start - terms.tick
    for moment in settled {
      level = min(burst, level + (moment - at) * rate) - 1
      levels.append(level)
      at = moment
    }
    let enough = (trace.refusedMayCount ? 0 : 1) + LimitTerms.slack * rate + 1e-9
    func base(_ decided: Int, _ t: Double) -> Double {
      if decided > 0 { return min(burst, levels[decided - 1] + (t - settled[decided - 1]) * rate) }
      return trace.startsQuiet ? burst : min(burst, (t - trace.start + terms.tick) * rate)
    }
    return trace.unexplainedRefusals(terms, reach: 0, firstOnly: firstOnly) { started, decided, t in
      base(decided, t) - Double(started - decided) < enough
    }
  }
}
