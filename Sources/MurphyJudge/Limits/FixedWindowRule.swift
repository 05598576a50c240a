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
  /// Searches a sequence of windows in which all admissions fit.
  package static func overAdmits(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission? {
    if trace.mayMissRequests { return FreeWindowSearch(trace, terms).isFeasible() ? nil : OverAdmission() }
    return isFeasible(trace, terms, refusals: nil) ? nil : OverAdmission()
  }

  /// A fixed window admits no less than the sliding log: any rejection needs L admissions within W before it.
  package static func unexplainedRefusals(_ trace: LimitTrace, _ terms: LimitTerms, firstOnly: Bool) -> [Int] {
    SlidingLogRule.unexplainedRefusals(trace, terms, firstOnly: firstOnly)
  }

  /// Searches a sequence of windows that also explains all rejections.
  package static func contradicts(_ trace: LimitTrace, _ terms: LimitTerms) -> Contradiction? {
    // Unknown requests may begin unobserved windows: then only the log rule above remains.
    guard trace.startsQuiet, trace.doubtful.isEmpty, !trace.mayMissRequests, !trace.sharesRefusals,
      !trace.refused.isEmpty, trace.weighing?.isExact ?? true
    else { return nil }
    let refusals = trace.refused.map { trace.requests[$0] }
    if isFeasible(trace, terms, refusals: refusals) { return nil }
    return Contradiction(refusalsAlone: false, requests: [])
  }

  static func isFeasible(_ trace: LimitTrace, _ terms: LimitTerms, refusals: [LimitTrace.Request]?) -> Bool {
    if trace.certainSent.isEmpty { return refusals?.allSatisfy { trace.needed(for: $0, terms) == 0 } ?? true }
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
    allowance = terms.allowance + trace.excess
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

/// The search of ``FixedWindowRule``: all window sequences at once, ascending by first admission.
struct FixedWindowSearch {
  private let sent: [Double]
  private let settled: [Double]
  private let allowance: Int
  private let window: Double
  private let longWindow: Double
  private let tick: Double
  private let slack = LimitTerms.slack
  /// Earliest start of a window that begins with its first certain admission; infinite when unreachable.
  private var starts: [Double]
  /// The same for windows that an unknown request began, and the latest such start.
  private var hiddenStarts: [Double]
  private var hiddenEnds: [Double]
  private var starters: Starters?
  private let refusalSent: [Double]
  private let refusalSettled: [Double]
  /// The units that must be in the window of each.
  private let needed: [Int]
  private let judgesRefusals: Bool

  init(_ trace: LimitTrace, _ terms: LimitTerms, refusals: [LimitTrace.Request]?) {
    tick = terms.tick
    sent = tick == 0 ? trace.certainSent : trace.certainSent.map { $0 - terms.tick }
    settled = trace.certainSettled
    allowance = terms.allowance + trace.excess
    window = terms.shortWindow
    longWindow = terms.longWindow
    starts = [Double](repeating: .infinity, count: sent.count)
    hiddenStarts = []
    hiddenEnds = []
    judgesRefusals = refusals != nil
    refusalSent = refusals.map { $0.map { $0.sent - terms.tick } } ?? []
    refusalSettled = refusals.map { $0.map(\.settled) } ?? []
    needed = refusals.map { $0.map { trace.needed(for: $0, terms) } } ?? []
    // A window that an earlier, unobserved request began may still be open when the trace starts.
    starts[0] = trace.startsQuiet ? sent[0] : sent[0] - longWindow
    if !trace.doubtful.isEmpty {
      let found = Starters(trace.doubtful.map { trace.requests[$0] }, tick: terms.tick)
      hiddenStarts = starts.map { _ in .infinity }
      hiddenEnds = starts.map { _ in -.infinity }
      if let span = found.span(from: -.infinity, to: settled[0]) {
        hiddenStarts[0] = span.low
        hiddenEnds[0] = span.high
      }
      starters = found
    }
  }

  mutating func isFeasible() -> Bool {
    // A rejection before any possible admission.
    if judgesRefusals, zip(refusalSettled, needed).contains(where: { $0 < sent[0] - slack && $1 > 0 }) { return false }
    for k in 0..<sent.count {
      if starts[k] <= settled[k] + slack, advance(from: k, low: starts[k], high: settled[k]) { return true }
      if starters != nil, hiddenStarts[k] <= hiddenEnds[k] + slack,
        advance(from: k, low: hiddenStarts[k], high: hiddenEnds[k])
      {
        return true
      }
    }
    return false
  }

  /// Follows every window that begins in [low, high] with certain admission `k` first; true at the end of the trace.
  private mutating func advance(from k: Int, low: Double, high: Double) -> Bool {
    let count = sent.count
    if count - k <= allowance {
      let begin = max(low, sent[count - 1] - longWindow - slack)
      if begin <= high + slack, permitted(k, count - k, before: .infinity, low: begin, high: high) != nil {
        return true
      }
    }
    var q = k + 1
    let last = min(k + allowance, count - 1)
    while q <= last, settled[q] < low + window - slack { q += 1 }
    while q <= last, sent[q - 1] - longWindow - slack <= high {
      let begin = max(low, sent[q - 1] - longWindow - slack)
      let end = min(high, settled[q] - window + slack)
      if begin <= end + slack {
        let next = max(sent[q], begin + window)
        if let allowed = permitted(k, q - k, before: next - slack, low: begin, high: end) {
          let expiry = allowed + window - slack
          let start = max(sent[q], expiry)
          if start <= settled[q] + slack { starts[q] = min(starts[q], start) }
          if let span = starters?.span(from: expiry, to: settled[q]) {
            hiddenStarts[q] = min(hiddenStarts[q], span.low)
            hiddenEnds[q] = max(hiddenEnds[q], span.high)
          }
        }
      }
      q += 1
    }
    return false
  }

  /// The earliest start that the rejections between window start and `bound` permit, if c admissions are in the window.
  private func permitted(_ k: Int, _ c: Int, before bound: Double, low: Double, high: Double) -> Double? {
    guard judgesRefusals else { return low }
    var begin = low
    var index = refusalSent.count(below: settled[k])
    while index < refusalSent.count, refusalSent[index] < bound {
      if refusalSettled[index] < bound {
        let least = needed[index]
        if c < least || (least > 0 && refusalSettled[index] < sent[k + least - 1] - slack) { return nil }
        // A request that costs more than the allowance is rejected in every window.
        guard least > 0 else {
          index += 1
          continue
        }
        begin = max(begin, refusalSent[index] - longWindow - slack)
        if begin > high + slack { return nil }
      }
      index += 1
    }
    return begin
  }
}

/// Requests that may have begun an unobserved window.
private struct Starters {
  private let bySent: [Double]
  private let latestSettled: [Double]
  private let bySettled: [Double]
  private let earliestSent: [Double]

  init(_ requests: [LimitTrace.Request], tick: Double) {
    bySent = requests.map { $0.sent - tick }
    var latest = -Double.infinity
    latestSettled = requests.map {
      latest = max(latest, $0.settled)
      return latest
    }
    let ordered = requests.sorted { $0.settled < $1.settled }
    bySettled = ordered.map(\.settled)
    var earliest = ordered.map { $0.sent - tick }
    for index in stride(from: earliest.count - 2, through: 0, by: -1) {
      earliest[index] = min(earliest[index], earliest[index + 1])
    }
    earliestSent = earliest
  }

  /// The hull of the times in [low, high] at which one of them can have been decided.
  func span(from low: Double, to high: Double) -> (low: Double, high: Double)? {
    let later = bySettled.count(below: low)
    let earlier = bySent.count(upTo: high)
    guard later < bySettled.count, earlier > 0 else { return nil }
    let begin = max(earliestSent[later], low)
    let end = min(latestSettled[earlier - 1], high)
    return begin <= end ? (begin, end) : nil
  }
}
