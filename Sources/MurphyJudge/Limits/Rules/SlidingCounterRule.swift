/// Two aligned counters: admitted while `previous · (1 − f) + current < L`, f the elapsed share of the current window.
///
/// The phase is unknown, so it is searched: a cell of phases is impossible when some request contradicts all of it. A
/// cell without a contradiction is split, down to W/15,360; one that remains is an explanation. The requests that
/// contradicted the last cells are tried first on the next one, so that most cells cost nothing.
///
/// Take a cell with boundaries in [B⁻, B⁺] and a request whose window is certain. The requests decided by then are
/// split between the two windows so that the estimate is smallest, or largest:
///
///     current  ≥ #{R < s} − #{S < B⁺}        current + previous ≥ #{R < s} − #{S < B⁺ − W}
///     current  ≤ #{S ≤ r} − #{R < B⁻}        current + previous ≤ #{S ≤ r} − #{R < B⁻ − W}
///
/// The sum is bounded, not each window separately. This keeps the requests near the boundary in the proof: they count
/// in one of the two.
package enum SlidingCounterRule: LimitRule {
  package static func overAdmits(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission? {
    guard trace.certainSent.count > terms.allowance else { return nil }
    var search = SlidingCounterSearch(trace, terms, admissions: true, refusals: false)
    if search.isFeasible() { return nil }
    // Each contradiction depends on the counts in two windows before it, and a few allowances of it are enough.
    var hint = Set<Int>()
    let most = 4 * terms.allowance + 16
    for index in search.contradicting where hint.count < 20_000 {
      hint.formUnion(trace.requests(before: index, within: 2 * terms.window, atMost: most))
    }
    return OverAdmission(hint: hint.sorted())
  }

  /// A rejection needs an estimate of at least L, so at least L possible admissions within two windows before it.
  package static func unexplainedRefusals(_ trace: LimitTrace, _ terms: LimitTerms, firstOnly: Bool) -> [Int] {
    var twice = terms
    twice.window = 2 * terms.window
    return SlidingLogRule.unexplainedRefusals(trace, twice, firstOnly: firstOnly)
  }

  package static func contradicts(_ trace: LimitTrace, _ terms: LimitTerms) -> Contradiction? {
    guard !trace.sharesRefusals, !trace.refused.isEmpty else { return nil }
    var search = SlidingCounterSearch(trace, terms, admissions: true, refusals: true)
    if search.isFeasible() { return nil }
    var alone = SlidingCounterSearch(trace, terms, admissions: false, refusals: true)
    let refusalsAlone = !alone.isFeasible()
    return Contradiction(
      refusalsAlone: refusalsAlone, requests: refusalsAlone ? alone.contradicting : search.contradicting)
  }
}
