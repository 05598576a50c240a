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
  private let judgesRefusals: Bool

  init(_ trace: LimitTrace, _ terms: LimitTerms, refusals: [LimitTrace.Request]?) {
    tick = terms.tick
    sent = tick == 0 ? trace.certainSent : trace.certainSent.map { $0 - terms.tick }
    settled = trace.certainSettled
    allowance = terms.allowance
    window = terms.shortWindow
    longWindow = terms.longWindow
    starts = [Double](repeating: .infinity, count: sent.count)
    hiddenStarts = []
    hiddenEnds = []
    judgesRefusals = refusals != nil
    refusalSent = refusals.map { $0.map { $0.sent - terms.tick } } ?? []
    refusalSettled = refusals.map { $0.map(\.settled) } ?? []
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
    if judgesRefusals, refusalSettled.contains(where: { $0 < sent[0] - slack }) { return false }
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
        if c < allowance || refusalSettled[index] < sent[k + allowance - 1] - slack { return nil }
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
