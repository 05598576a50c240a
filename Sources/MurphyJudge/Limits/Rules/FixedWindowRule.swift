/// A window begins with the first request that it counts, lasts W, and admits at most L.
///
/// Which admission began a window is unknown, so all possibilities are carried along: `starts[k]` is the earliest
/// moment at which a window whose first certain admission is the k-th can begin; it begins in [starts[k], R(k)].
/// The next window begins with certain admission q = k + c, 1 ≤ c ≤ L, if for some g in that interval
///
///     S(q−1) − W ≤ g      the c admissions before q fit into the window
///     g + W ≤ R(q)        q can be decided after it
///
/// and then `starts[q] = min(…, max(S(q), g + W))`. A request of unknown outcome may begin a window too; those
/// states keep the hull of where such a request can lie, which is permissive. No path to the last admission is the
/// contradiction. O(n · requests in flight).
///
/// In a trace that may miss requests a window may begin at any moment, W after the one before: see ``FreeWindowSearch``.
///
/// A refusal that is certainly inside a window demands that L admissions came before it in that window.
package enum FixedWindowRule: LimitRule {
  package static func overAdmits(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission? {
    if trace.mayMissRequests { return FreeWindowSearch(trace, terms).isFeasible() ? nil : OverAdmission() }
    return isFeasible(trace, terms, refusals: nil) ? nil : OverAdmission()
  }

  /// A fixed window admits no less than the sliding log: any refusal needs L admissions within W before it.
  package static func unexplainedRefusals(_ trace: LimitTrace, _ terms: LimitTerms, firstOnly: Bool) -> [Int] {
    SlidingLogRule.unexplainedRefusals(trace, terms, firstOnly: firstOnly)
  }

  package static func contradicts(_ trace: LimitTrace, _ terms: LimitTerms) -> Contradiction? {
    // Unknown requests may begin windows unseen: only the log rule above remains then.
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
