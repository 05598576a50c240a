import MurphyModel

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

  /// - Parameter phases: the phases to try, in seconds; nil for all.
  mutating func isFeasible(in phases: ClosedRange<Double>? = nil) -> Bool {
    let low = phases.map { $0.lowerBound - ($0.lowerBound / terms.window).rounded(.down) * terms.window } ?? 0
    let length = min(phases.map { $0.upperBound - $0.lowerBound } ?? terms.window, terms.window)
    let cells = max(1, Int(saturating: (Double(Self.coarseCells) * length / terms.window).rounded(.up)))
    let width = length / Double(cells)
    for index in 0..<cells where explains(from: low + Double(index) * width, width: width) { return true }
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
