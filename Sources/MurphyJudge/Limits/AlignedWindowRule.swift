/// Windows [φ + mW, φ + (m+1)W), at most L admissions in each; φ unknown or known within a tolerance.
///
/// Every observation requires a boundary in an arc of phases:
/// - L+1 certain admissions between S(k) and R(k+L), less than W apart: a boundary in (S(k), R(k+L)];
/// - a rejection at [s, r]: L possible admissions must fit after the last boundary b. With c = #{S ≤ r}, b lies before
///   ρ = R(c−L), the L-th latest settled; so no boundary in (ρ, s], that is one in (s, ρ + W];
/// - an admission sent after an answered rejection: a boundary in (s, earliest settled of those admissions].
///
/// If all arcs have no common phase, that is a contradiction. A crowd of 2L+1 within less than a window is also one.
/// Arcs widen by the clocks' drift since the trace began.
package enum AlignedWindowRule: LimitRule {
  /// A phase that is known from elsewhere, seconds on the trace's clock.
  package struct KnownPhase: Sendable, Hashable {
    /// Seconds on the trace's clock.
    package var phase: Double
    /// The true phase differs by at most this many seconds.
    package var tolerance: Double
  }

  /// Searches a phase of the windows at which all admissions fit.
  package static func overAdmits(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission? {
    if let excess = crowd(trace, terms) { return excess }
    var phases = initial(terms)
    var feasible = true
    forEachAdmissionArc(trace, terms) { low, length, _ in
      feasible = phases.keep(from: low, length: length)
      return feasible
    }
    return feasible ? nil : OverAdmission()
  }

  /// More than two allowances within less than a window, which can overlap at most two windows: too many for any phase
  /// and any drift of the clocks.
  private static func crowd(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission? {
    let most = 2 * (terms.allowance + trace.excess)
    guard trace.certainSent.count > most else { return nil }
    let longest = terms.shortWindow - terms.tick - LimitTerms.slack
    for k in 0..<(trace.certainSent.count - most)
    where trace.certainSettled[k + most] - trace.certainSent[k] < longest {
      return OverAdmission(hint: trace.certainRequests(endingAt: k + most, atLeast: most + 1))
    }
    return nil
  }

  /// Rejections that no possible phase of the windows explains.
  package static func unexplainedRefusals(_ trace: LimitTrace, _ terms: LimitTerms, firstOnly: Bool) -> [Int] {
    var unexplained: [Int] = []
    forEachRefusal(trace, terms) { j, arc in
      if case .impossible = arc { unexplained.append(j) }
      return !(firstOnly && !unexplained.isEmpty)
    }
    return unexplained
  }

  /// Searches a phase that explains admissions and rejections together.
  package static func contradicts(_ trace: LimitTrace, _ terms: LimitTerms) -> Contradiction? {
    guard !trace.sharesRefusals, !trace.refused.isEmpty else { return nil }
    var phases = initial(terms)
    var cuts: [(low: Double, length: Double, request: Int)] = []
    var feasible = true
    forEachRefusalArc(trace, terms) { j, low, length in
      cuts.append((low, length, j))
      feasible = phases.keep(from: low, length: length)
      return feasible
    }
    if !feasible {
      return Contradiction(refusalsAlone: true, requests: cover(cuts, window: terms.window).map { cuts[$0].request })
    }
    forEachAdmissionArc(trace, terms) { low, length, k in
      cuts.append((low, length, -1 - k))
      feasible = phases.keep(from: low, length: length)
      return feasible
    }
    if feasible { return nil }
    var requests = Set<Int>()
    for index in cover(cuts, window: terms.window) {
      let cut = cuts[index]
      if cut.request >= 0 {
        requests.insert(cut.request)
      } else {
        let first = -1 - cut.request
        let last = trace.certainSettled[first + terms.allowance + trace.excess]
        let from = trace.certainSent[first]
        for index in 0..<trace.firstIndex(sentAfter: last) where trace.requests[index].sent >= from {
          let request = trace.requests[index]
          if request.role == .certain, request.settled <= last { requests.insert(index) }
        }
      }
    }
    return Contradiction(refusalsAlone: false, requests: requests.sorted())
  }

  /// The phases that the whole trace leaves possible: the beginnings of windows, for the chart.
  static func phases(of trace: LimitTrace, _ terms: LimitTerms) -> PhaseSet {
    var phases = initial(terms)
    forEachAdmissionArc(trace, terms) { low, length, _ in phases.keep(from: low, length: length) }
    guard !phases.isEmpty, !trace.sharesRefusals else { return phases }
    forEachRefusalArc(trace, terms) { _, low, length in phases.keep(from: low, length: length) }
    return phases
  }

  private static func initial(_ terms: LimitTerms) -> PhaseSet {
    guard let known = terms.phase else { return PhaseSet(window: terms.window) }
    return PhaseSet(window: terms.window, around: known.phase, tolerance: known.tolerance + LimitTerms.slack)
  }

  /// Calls with low end and length of each arc and the position of its first admission; stops on false.
  private static func forEachAdmissionArc(
    _ trace: LimitTrace, _ terms: LimitTerms, _ body: (Double, Double, Int) -> Bool
  ) {
    let allowance = terms.allowance + trace.excess
    guard trace.certainSent.count > allowance else { return }
    for k in 0..<(trace.certainSent.count - allowance) {
      // The arc of the units of one request that come first is the shortest.
      if k > 0, trace.certainSent[k] == trace.certainSent[k - 1] { continue }
      let settled = trace.certainSettled[k + allowance]
      let sent = trace.certainSent[k]
      let slack = LimitTerms.slack + terms.drift * (settled - trace.start)
      let low = sent - terms.tick - slack
      let length = settled + slack - low
      if length < terms.window, !body(low, length, k) { return }
    }
  }

  private enum RefusalArc {
    case impossible, anywhere
    case arc(low: Double, length: Double)
  }

  private static func forEachRefusal(
    _ trace: LimitTrace, _ terms: LimitTerms, _ body: (Int, RefusalArc) -> Bool
  ) {
    let earliest = trace.startsQuiet ? -Double.infinity : trace.start + terms.longWindow
    for j in trace.refused {
      let refusal = trace.requests[j]
      if refusal.sent < earliest { continue }
      var verdict = RefusalArc.anywhere
      let needed = trace.needed(for: refusal, terms)
      let started = trace.possibleSent.count(upTo: refusal.settled + terms.tick)
      if started < needed {
        verdict = .impossible
      } else if needed > 0 {
        let latest = min(trace.possibleSettled[started - needed], refusal.settled)
        let sent = refusal.sent - terms.tick
        let slack = LimitTerms.slack + terms.drift * (refusal.settled - trace.start)
        if sent - latest >= terms.longWindow + LimitTerms.slack {
          verdict = .impossible
        } else if sent > latest {
          verdict = .arc(low: sent - slack, length: latest + terms.window - sent + 2 * slack)
        }
      }
      if !body(j, verdict) { return }
    }
  }

  private static func forEachRefusalArc(
    _ trace: LimitTrace, _ terms: LimitTerms, _ body: (Int, Double, Double) -> Bool
  ) {
    var later = LaterAdmissions(trace)
    forEachRefusal(trace, terms) { j, verdict in
      if case .arc(let low, let length) = verdict, length < terms.window, !body(j, low, length) { return false }
      let refusal = trace.requests[j]
      guard let settled = later.first(from: refusal.settled + terms.tick, after: refusal)?.settled else { return true }
      let slack = LimitTerms.slack + terms.drift * (refusal.settled - trace.start)
      let low = refusal.sent - terms.tick - slack
      let length = settled + slack - low
      return length >= terms.window || body(j, low, length)
    }
  }

  /// Indices of few arcs that already have no common phase: a greedy cover of the circle by their complements.
  private static func cover(
    _ arcs: [(low: Double, length: Double, request: Int)], window: Double
  ) -> [Int] {
    guard let last = arcs.indices.last else { return [] }
    // Complement of [low, low+length]: (low+length, low+window).
    func gap(_ index: Int, from origin: Double) -> (start: Double, end: Double) {
      let start = arcs[index].low + arcs[index].length - origin
      let offset = start - (start / window).rounded(.down) * window
      return (offset, offset + window - arcs[index].length)
    }
    let origin = arcs[last].low + arcs[last].length
    var reached = window - arcs[last].length
    var chosen = [last]
    let gaps = arcs.indices.map { (index: $0, gap: gap($0, from: origin)) }.sorted { $0.gap.start < $1.gap.start }
    var next = 0
    while reached < window - 1e-9, chosen.count < 64 {
      var best: (index: Int, end: Double)?
      while next < gaps.count, gaps[next].gap.start <= reached + 1e-9 {
        if gaps[next].gap.end > best?.end ?? reached { best = (gaps[next].index, gaps[next].gap.end) }
        next += 1
      }
      guard let best else { break }
      chosen.append(best.index)
      reached = best.end
    }
    return chosen
  }
}
