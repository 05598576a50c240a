/// Refusals of a key that did not exist before the run, made before its allowance can be used up.
///
/// Refusal j is unexplained when
///
///     #{possible i : S(i) ≤ R(j)} < L
///
/// Every limiter begins with its whole allowance for a new key and admits the first L requests that it counts, whatever
/// its clock, phase or window; what was counted before j was decided was sent by R(j). So no tick widens the rule. With
/// refused requests that may count, j sees itself. O(refusals · log n).
package enum FreshKeyRule {
  package static func unexplainedRefusals(_ trace: LimitTrace, allowance: Int, firstOnly: Bool = false) -> [Int] {
    guard trace.isFresh, !trace.mayMissRequests else { return [] }
    let needed = allowance + (trace.refusedMayCount ? 1 : 0)
    var unexplained: [Int] = []
    for j in trace.refused where trace.possibleSent.count(upTo: trace.requests[j].settled) < needed {
      unexplained.append(j)
      if firstOnly { break }
    }
    return unexplained
  }
}
