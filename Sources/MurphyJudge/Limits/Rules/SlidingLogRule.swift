/// At most L admissions in any span shorter than W.
///
/// Admissions: the earliest possible k-th decision is
///
///     x(k) = max(S(k), x(k-1), x(k-L) + W)
///
/// and x(k) > R(k) is a contradiction. O(n).
///
/// Rejections: j is unexplained when at every time t of its interval fewer than L possible admissions can lie in (t −
/// W, t]: #{S ≤ t} − #{R ≤ t − W} < L. The depth only grows at an S, so only those times are checked.
package enum SlidingLogRule: LimitRule {
  package static func overAdmits(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission? {
    let sent = trace.certainSent
    let settled = trace.certainSettled
    let allowance = terms.allowance
    guard sent.count > allowance else { return nil }
    let window = terms.shortWindow
    let failure = sent.withUnsafeBufferPointer { sent in
      settled.withUnsafeBufferPointer { settled in
        withUnsafeTemporaryAllocation(of: Double.self, capacity: sent.count) { earliest in
          var last = -Double.infinity
          for k in 0..<sent.count {
            var x = max(sent[k] - terms.tick, last)
            if k >= allowance { x = max(x, earliest[k - allowance] + window) }
            if x > settled[k] + LimitTerms.slack { return k }
            earliest[k] = x
            last = x
          }
          return -1
        }
      }
    }
    return failure < 0 ? nil : OverAdmission(hint: trace.certainRequests(endingAt: failure, atLeast: allowance + 1))
  }

  package static func unexplainedRefusals(_ trace: LimitTrace, _ terms: LimitTerms, firstOnly: Bool) -> [Int] {
    let needed = terms.allowance + (trace.refusedMayCount ? 1 : 0)
    let earliest = trace.startsQuiet ? -Double.infinity : trace.start + terms.longWindow
    return trace.unexplainedRefusals(
      terms, from: earliest, reach: terms.longWindow + LimitTerms.slack, firstOnly: firstOnly
    ) { started, expired, _ in started - expired >= needed }
  }
}
