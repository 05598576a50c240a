/// At most L admissions in any span shorter than W.
///
/// Admissions: the earliest possible k-th decision is
///
///     x(k) = max(S(k), x(k-1), x(k-L) + W)
///
/// and x(k) > R(k) is a contradiction. O(n).
///
/// Refusals: j is unexplained when at every moment t of its interval fewer than L possible admissions can lie in
/// (t − W, t]: #{S ≤ t} − #{R ≤ t − W} < L. The depth only grows at an S, so those are the moments to try.
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
    let sent = trace.possibleSent
    let settled = trace.possibleSettled
    let needed = terms.allowance + (trace.refusedMayCount ? 1 : 0)
    let reach = terms.longWindow + LimitTerms.slack
    let earliest = trace.startsQuiet ? -Double.infinity : trace.start + terms.longWindow
    var unexplained: [Int] = []
    var started = 0
    var expired = 0
    for j in trace.refused {
      let refusal = trace.requests[j]
      var t = refusal.sent - terms.tick
      if refusal.sent < earliest { continue }
      while started < sent.count, sent[started] - terms.tick <= t { started += 1 }
      while expired < settled.count, settled[expired] + reach <= t { expired += 1 }
      if started - expired >= needed { continue }
      var upTo = started
      var gone = expired
      var explained = false
      while upTo < sent.count, sent[upTo] - terms.tick <= refusal.settled {
        t = sent[upTo] - terms.tick
        upTo += 1
        while gone < settled.count, settled[gone] + reach <= t { gone += 1 }
        if upTo - gone >= needed {
          explained = true
          break
        }
      }
      if !explained {
        unexplained.append(j)
        if firstOnly { break }
      }
    }
    return unexplained
  }
}
