/// Windows that may begin at any moment, as far as W apart as each other: what remains of ``FixedWindowRule`` where
/// requests may be missing, each of which may have begun a window.
///
/// With e(k) the earliest moment at which the window of certain admission k can begin, e(0) = −∞ and for 1 ≤ c ≤ L
///
///     g = max(e(k), S(k+c−1) − W)        the window holds c admissions; impossible when g > R(k)
///     R(k+c) ≥ g + W                     the next one can be decided after it: e(k+c) = min(e(k+c), g + W)
///
/// No path to the last admission is the contradiction. Weaker than the search with known starters, by about a factor of
/// five for an allowance that is one too high. O(n · requests in flight).
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
      // What cannot be decided after the window's earliest end is in it.
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
