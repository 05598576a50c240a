import MurphyModel

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
  /// Searches a phase at which the estimate permits all admissions.
  package static func overAdmits(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission? {
    guard trace.certainSent.count > terms.allowance else { return nil }
    var search = SlidingCounterSearch(trace, terms, admissions: true, refusals: false)
    if search.isFeasible() || restarts(trace, terms, admissions: true, refusals: false) { return nil }
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

  /// Searches a phase that explains admissions and rejections together.
  package static func contradicts(_ trace: LimitTrace, _ terms: LimitTerms) -> Contradiction? {
    guard !trace.sharesRefusals, !trace.refused.isEmpty else { return nil }
    var search = SlidingCounterSearch(trace, terms, admissions: true, refusals: true)
    if search.isFeasible() || restarts(trace, terms, admissions: true, refusals: true) { return nil }
    var alone = SlidingCounterSearch(trace, terms, admissions: false, refusals: true)
    let refusalsAlone = !alone.isFeasible() && !restarts(trace, terms, admissions: false, refusals: true)
    return Contradiction(
      refusalsAlone: refusalsAlone, requests: refusalsAlone ? alone.contradicting : search.contradicting)
  }

  /// True if windows that restart explain the trace. Counters of HAProxy and Symfony restart with the first request
  /// after both of their windows have ended. So the time of this request gives their phase.
  private static func restarts(
    _ trace: LimitTrace, _ terms: LimitTerms, admissions: Bool, refusals: Bool
  ) -> Bool {
    guard let silences = trace.silences(of: terms.window, tick: terms.tick) else { return true }
    guard !silences.isEmpty else { return false }
    // The silences after which a window may have restarted, so that the requests before it are explained.
    var explained = [true] + silences.map { _ in false }
    let ends = silences.map(\.next) + [.infinity]
    for first in explained.indices where explained[first] {
      for last in first..<ends.count {
        let part = trace.part(from: first == 0 ? nil : silences[first - 1].next, until: ends[last])
        var search = SlidingCounterSearch(part, terms, admissions: admissions, refusals: refusals)
        let isFeasible = first == 0 ? search.isFeasible() : search.isFeasible(in: part.phases(tick: terms.tick))
        if isFeasible {
          if last == silences.count { return true }
          explained[last + 1] = true
        }
        // Without a restart, more requests have no explanation either. Two windows of silence force a restart.
        if !isFeasible || last < silences.count && silences[last].length > 2 * terms.window { break }
      }
    }
    return false
  }
}

extension LimitTrace {
  /// Times without requests in which two windows may have ended; nil if requests in flight hide such a time.
  ///
  /// - Parameters:
  ///   - window: in seconds.
  ///   - tick: of the server's clock, in seconds.
  fileprivate func silences(of window: Double, tick: Double) -> [(length: Double, next: Double)]? {
    var silences: [(length: Double, next: Double)] = []
    for (sent, settled) in zip(possibleSent.indices.dropLast(), possibleSettled.indices.dropFirst())
    where possibleSettled[settled] - possibleSent[sent] + tick > window {
      let length = possibleSent[settled] - possibleSettled[sent] - tick
      guard length > 0 else { return nil }
      silences.append((length, possibleSent[settled]))
    }
    return silences
  }

  /// The requests between two restarts; `from` is nil for those from the beginning.
  fileprivate func part(from: Double?, until: Double) -> LimitTrace {
    func isLater(_ request: Request, than moment: Double) -> Bool {
      request.sent >= moment || request.role == .refused && request.settled >= moment
    }
    let chosen = requests.filter { request in
      (from.map { isLater(request, than: $0) } ?? true) && !isLater(request, than: until)
    }
    return with(chosen, startsQuiet: from == nil ? nil : true)
  }

  /// When the first window of a part after a restart may have begun.
  fileprivate func phases(tick: Double) -> ClosedRange<Double> {
    let latest = certainSettled.first ?? requests.reduce(start) { max($0, $1.settled) }
    return start - tick - LimitTerms.slack...latest + LimitTerms.slack
  }
}
