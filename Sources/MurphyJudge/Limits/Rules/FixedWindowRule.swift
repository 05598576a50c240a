/// A window begins with the first request that it counts, lasts W, and admits at most L.
///
/// It is unknown which admission began a window, so all possibilities are tracked: `starts[k]` is the earliest time at
/// which a window whose first certain admission is the k-th can begin; it begins in [starts[k], R(k)]. The next window
/// begins with certain admission q = k + c, 1 ≤ c ≤ L, if for some g in that interval
///
///     S(q−1) − W ≤ g      the c admissions before q fit into the window
///     g + W ≤ R(q)        q can be decided after it
///
/// and then `starts[q] = min(…, max(S(q), g + W))`. A request of unknown outcome may also begin a window; those states
/// keep the hull of the times of such requests, which is permissive. If no path leads to the last admission, that is
/// the contradiction. O(n · requests in flight).
///
/// In a trace that may miss requests, a window may begin at any time at least W after the previous one: see
/// ``FreeWindowSearch``.
///
/// A rejection that is certainly inside a window requires L earlier admissions in that window.
package enum FixedWindowRule: LimitRule {
  package static func overAdmits(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission? {
    if trace.mayMissRequests { return FreeWindowSearch(trace, terms).isFeasible() ? nil : OverAdmission() }
    return isFeasible(trace, terms, refusals: nil) ? nil : OverAdmission()
  }

  /// A fixed window admits no less than the sliding log: any rejection needs L admissions within W before it.
  package static func unexplainedRefusals(_ trace: LimitTrace, _ terms: LimitTerms, firstOnly: Bool) -> [Int] {
    SlidingLogRule.unexplainedRefusals(trace, terms, firstOnly: firstOnly)
  }

  package static func contradicts(_ trace: LimitTrace, _ terms: LimitTerms) -> Contradiction? {
    // Unknown requests may begin unobserved windows: then only the log rule above remains.
    guard trace.startsQuiet, trace.doubtful.isEmpty, !trace.mayMissRequests, !trace.sharesRefusals,
      !trace.refused.isEmpty
    else { return nil }
    let refusals = trace.refused.map { trace.requests[$0] }
    if isFeasible(trace, terms, refusals: refusals) { return nil }
    return Contradiction(refusalsAlone: false, requests: [])
  }

  static func isFeasible(_ trace: LimitTrace, _ terms: LimitTerms, refusals: [LimitTrace.Request]?) -> Bool {
    if trace.certainSent.isEmpty { return refusals?.isEmpty ?? true }
    var search = FixedWindowSearch(trace, terms, refusals: refusals)
    return search.isFeasible()
  }
}

/// Windows that may begin at any time, at least W apart: the remaining part of ``FixedWindowRule`` where requests may
/// be missing, each of which may have begun a window.
///
/// With e(k) the earliest time at which the window of certain admission k can begin, e(0) = −∞ and for 1 ≤ c ≤ L
///
///     g = max(e(k), S(k+c−1) − W)        the window holds c admissions; impossible when g > R(k)
///     R(k+c) ≥ g + W                     the next one can be decided after it: e(k+c) = min(e(k+c), g + W)
///
/// If no path leads to the last admission, that is the contradiction. Weaker than the search with known starters, by
/// about a factor of five for an allowance that is one too high. O(n · requests in flight).
struct FreeWindowSearch {
  private let sent: [Double]
  private let settled: [Double]
  private let allowance: Int
  private let window: Double
  private let longWindow: Double

  init(_ trace: LimitTrace, _ terms: LimitTerms) {
    sent = trace.certainSent.map { $0 - terms.tick }
    settled = trace.certainSettled
    allowance = terms.allowance
    window = terms.shortWindow
    longWindow = terms.longWindow
  }

  func isFeasible() -> Bool {
    let count = sent.count
    if count <= allowance { return true }
    let slack = LimitTerms.slack
    var earliest = [Double](repeating: .infinity, count: count)
    earliest[0] = -.infinity
    for k in 0..<count where earliest[k] < .infinity {
      func begin(holdingUpTo last: Int) -> Double { max(earliest[k], sent[last] - longWindow - slack) }
      if count - k <= allowance, begin(holdingUpTo: count - 1) <= settled[k] + slack { return true }
      // A request that cannot be decided after the window's earliest end is in the window.
      var next = max(k + 1, settled.count(below: earliest[k] + window - slack))
      while next <= min(k + allowance, count - 1), begin(holdingUpTo: next - 1) <= settled[k] + slack {
        let end = begin(holdingUpTo: next - 1) + window - slack
        if settled[next] >= end { earliest[next] = min(earliest[next], end) }
        next += 1
      }
    }
    return false
  }
}
