/// The search for a phase that explains a trace as a sliding counter's; see ``SlidingCounterRule``.
struct SlidingCounterSearch {
  private let trace: LimitTrace
  private let terms: LimitTerms
  private let admissions: Bool
  private let refusals: Bool
  private let sent: [Double]
  private let possibleSent: [Double]
  /// Per request: certain ones settled before it was sent, possible ones sent before it settled.
  private var settledBefore: [Int32] = []
  private var sentBefore: [Int32] = []
  /// Requests that recently contradicted a cell, the latest first.
  private var killers: [Int] = []
  /// All requests that were needed to contradict some cell, ascending.
  private(set) var contradicting: [Int] = []
  private let firstJudgedRefusal: Double

  private static let coarseCells = 60
  /// Cells are split in four down to 1/15,360 of the window, but not below the resolution of the slack.
  private static let finestShare = 1.0 / 15_360

  init(_ trace: LimitTrace, _ terms: LimitTerms, admissions: Bool, refusals: Bool) {
    self.trace = trace
    self.terms = terms
    self.admissions = admissions
    self.refusals = refusals
    sent = terms.tick == 0 ? trace.certainSent : trace.certainSent.map { $0 - terms.tick }
    possibleSent = terms.tick == 0 ? trace.possibleSent : trace.possibleSent.map { $0 - terms.tick }
    firstJudgedRefusal = trace.startsQuiet ? -.infinity : trace.start + 2 * terms.longWindow
    settledBefore.reserveCapacity(trace.requests.count)
    sentBefore.reserveCapacity(trace.requests.count)
    var settled = 0
    for request in trace.requests {
      let from = request.sent - terms.tick
      while settled < trace.certainSettled.count, trace.certainSettled[settled] < from { settled += 1 }
      settledBefore.append(Int32(settled))
      sentBefore.append(request.role == .refused ? Int32(possibleSent.count(upTo: request.settled)) : 0)
    }
  }

  mutating func isFeasible() -> Bool {
    let width = terms.window / Double(Self.coarseCells)
    for index in 0..<Self.coarseCells where explains(from: Double(index) * width, width: width) { return true }
    contradicting = Array(Set(contradicting)).sorted()
    return false
  }

  private mutating func explains(from low: Double, width: Double) -> Bool {
    if let killer = contradiction(low, low + width) {
      contradicting.append(killer)
      return false
    }
    if width <= max(terms.window * Self.finestShare, LimitTerms.slack / 2) * 1.001 { return true }
    for part in 0..<4 where explains(from: low + Double(part) * width / 4, width: width / 4) { return true }
    return false
  }

  /// A request that no phase in [p0, p1] explains.
  private mutating func contradiction(_ p0: Double, _ p1: Double) -> Int? {
    var cell = Cell(p0: p0, p1: p1)
    for (position, killer) in killers.enumerated() where isContradicted(killer, &cell) {
      if position > 0 {
        killers.remove(at: position)
        killers.insert(killer, at: 0)
      }
      return killer
    }
    for index in trace.requests.indices where isContradicted(index, &cell) {
      killers.insert(index, at: 0)
      if killers.count > 24 { killers.removeLast() }
      return index
    }
    return nil
  }

  private func isContradicted(_ index: Int, _ cell: inout Cell) -> Bool {
    let request = trace.requests[index]
    if request.role == .possible || request.role == .starter { return false }
    let from = request.sent - terms.tick
    let number = ((from - cell.p1) / terms.window).rounded(.down)
    if number != cell.number { cell.move(to: number, trace, terms, sent: sent) }
    guard from >= cell.latestBoundary, request.settled < cell.earliestBoundary + terms.window else { return false }
    let limit = Double(terms.allowance + trace.excess)
    if admissions {
      let decided = Int(settledBefore[index])
      let current = max(0, decided - cell.sentBeforeLatest)
      let previous = Double(max(0, decided - cell.sentBeforePrevious) - current)
      if request.role == .certain {
        let gone = share(request.settled - cell.earliestBoundary)
        // Its last unit.
        let own = Double(max(trace.leastUnits(request) - 1, 0))
        if previous * (1 - gone) + Double(current) + own >= limit + 1e-6 { return true }
      }
      // The last of the current ones, settled before this was sent, was itself admitted no later than now.
      if current >= 1 {
        let gone = share(from - cell.earliestBoundary)
        if previous * (1 - gone) + Double(current - 1) >= limit + 1e-6 { return true }
      }
    }
    if refusals, request.role == .refused, request.sent >= firstJudgedRefusal {
      let own = trace.mostUnits(request)
      let current = Double(Int(sentBefore[index]) - cell.settledBeforeEarliest - (trace.refusedMayCount ? own : 0))
      // A limiter with costs rejects when the estimate and the cost exceed the allowance.
      let more = trace.weighing == nil ? 0 : Double(own)
      let gone = share(from - cell.latestBoundary)
      if Double(cell.previousHigh) * (1 - gone) + current + more <= Double(terms.allowance) - 1e-6 { return true }
    }
    return false
  }

  private func share(_ elapsed: Double) -> Double { min(max(elapsed / terms.window, 0), 1) }

  /// A range of phases, and the counts at the boundaries of the window that was checked last.
  private struct Cell {
    let p0: Double
    let p1: Double
    var number = -Double.infinity
    var earliestBoundary = 0.0
    var latestBoundary = 0.0
    var sentBeforeLatest = 0
    var settledBeforeEarliest = 0
    var sentBeforePrevious = 0
    var previousHigh = 0

    init(p0: Double, p1: Double) {
      self.p0 = p0
      self.p1 = p1
    }

    mutating func move(
      to number: Double, _ trace: LimitTrace, _ terms: LimitTerms, sent: [Double]
    ) {
      self.number = number
      let window = terms.window
      let slack = LimitTerms.slack + terms.drift * (number * window - trace.start).magnitude
      earliestBoundary = p0 + number * window - slack
      latestBoundary = p1 + number * window + slack
      sentBeforeLatest = sent.count(below: latestBoundary)
      sentBeforePrevious = sent.count(below: latestBoundary - window)
      settledBeforeEarliest = trace.possibleSettled.count(below: earliestBoundary)
      previousHigh = settledBeforeEarliest - trace.possibleSettled.count(below: earliestBoundary - window)
    }
  }
}

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

  /// True if windows that restart after silence, as those of HAProxy, explain the trace: each part with its phase.
  private static func restarts(
    _ trace: LimitTrace, _ terms: LimitTerms, admissions: Bool, refusals: Bool
  ) -> Bool {
    guard let parts = trace.parts(betweenSilencesOf: terms.window, tick: terms.tick) else { return false }
    return parts.allSatisfy { part in
      var search = SlidingCounterSearch(part, terms, admissions: admissions, refusals: refusals)
      return search.isFeasible()
    }
  }
}

extension LimitTrace {
  /// The parts between the silences in which two windows may have ended; nil without such a silence. No parts if
  /// requests in flight hide where a silence is.
  ///
  /// - Parameters:
  ///   - window: in seconds.
  ///   - tick: of the server's clock, in seconds.
  fileprivate func parts(betweenSilencesOf window: Double, tick: Double) -> [LimitTrace]? {
    var parts: [LimitTrace] = []
    var (rest, isQuiet) = (requests, startsQuiet)
    func add(_ requests: [Request]) {
      parts.append(
        LimitTrace(
          requests, startsQuiet: isQuiet, mayMissRequests: mayMissRequests, refusedMayCount: refusedMayCount,
          sharesRefusals: sharesRefusals, weighing: weighing))
    }
    for (sent, settled) in zip(possibleSent.indices.dropLast(), possibleSettled.indices.dropFirst())
    where possibleSettled[settled] - possibleSent[sent] + tick > window {
      let silence = possibleSent[settled] - possibleSettled[sent] - tick
      guard silence > 0 else { return [] }
      let moment = possibleSent[settled]
      let later = rest.partition { $0.sent >= moment || $0.role == .refused && $0.settled >= moment }
      add([Request](rest[..<later]))
      (rest, isQuiet) = ([Request](rest[later...]), silence > 2 * window)
    }
    guard !parts.isEmpty else { return nil }
    add(rest)
    return parts
  }
}

/// Phases in [0, W) at which aligned windows may still begin: a few closed intervals, reduced arc by arc.
///
/// Closed intervals are permissive. An arc costs the number of intervals, which stays at one or two.
struct PhaseSet {
  struct Interval: Hashable {
    var low: Double
    var high: Double
  }

  let window: Double
  private(set) var intervals: [Interval]

  /// Every phase.
  init(window: Double) {
    self.window = window
    intervals = [Interval(low: 0, high: window)]
  }

  /// The phases within `tolerance` of `phase`.
  init(window: Double, around phase: Double, tolerance: Double) {
    self.init(window: window)
    _ = keep(from: phase - tolerance, length: 2 * tolerance)
  }

  var isEmpty: Bool { intervals.isEmpty }

  /// The total length of all intervals, in seconds.
  var measure: Double { intervals.reduce(0) { $0 + $1.high - $1.low } }

  /// Keeps the phases in [low, low + length] modulo the window; false when none is left.
  mutating func keep(from low: Double, length: Double) -> Bool {
    guard length < window else { return !isEmpty }
    var start = low - (low / window).rounded(.down) * window
    if start >= window { start -= window }
    let end = start + length
    // The common case: one interval, wholly inside the arc.
    if intervals.count == 1, intervals[0].low >= start, intervals[0].high <= end { return true }
    var kept: [Interval] = []
    for interval in intervals {
      // The arc relative to [0, W): itself and its copy one window earlier.
      for shift in [0, -window] {
        let low = max(interval.low, start + shift)
        let high = min(interval.high, end + shift)
        if low <= high { kept.append(Interval(low: low, high: high)) }
      }
    }
    kept.sort { $0.low < $1.low }
    intervals = kept
    return !kept.isEmpty
  }
}
