import Foundation

extension VersionSpace {
  private struct Cell {
    var start: Double
    var width: Double
  }

  private struct Fit {
    var window: Double
    var phase: Double
    var low: Int
    var high: Int
    var weight: Double
  }

  /// For the two kinds of aligned counters: windows on a grid, phases in cells, finest around the first release.
  mutating func fitWindows(
    _ hypothesis: ProbeHypothesis, _ evidence: ProbeEvidence, _ bracket: (low: Double, high: Double)?
  ) -> [ProbeParticle] {
    var range = ranges[hypothesis]!
    var narrowed = range
    var found: [Fit] = []
    var passes = 0
    for pass in 0..<2 {
      passes = pass
      let count = 36
      let step = log(range.high / range.low) / Double(count)
      found = []
      for index in 0..<count {
        let window = Self.grid(range, index, of: count)
        found += fits(hypothesis, evidence, window, step, bracket)
      }
      guard let first = found.first, let last = found.last else { break }
      narrowed = (first.window * exp(-step * 0.6), last.window * exp(step * 0.6))
      if log(narrowed.high / narrowed.low) > 0.4 * log(range.high / range.low) { break }
      range = narrowed
    }
    guard !found.isEmpty else {
      alive.remove(hypothesis)
      return []
    }
    ranges[hypothesis] = passes > 0 ? (max(range.low, narrowed.low), min(range.high, narrowed.high)) : narrowed
    return found.sorted { $0.weight > $1.weight }.map {
      ProbeParticle(
        hypothesis: hypothesis, allowance: ($0.low + $0.high) / 2, window: $0.window, phase: $0.phase, weight: $0.weight
      )
    }
  }

  private func fits(
    _ hypothesis: ProbeHypothesis, _ evidence: ProbeEvidence, _ window: Double, _ step: Double,
    _ bracket: (low: Double, high: Double)?
  ) -> [Fit] {
    var found: [Fit] = []
    func judge(_ cell: Cell, mayDivide: Bool) {
      let bounds = Self.allowances(evidence, window, cell.start, cell.start + cell.width, hypothesis == .counter)
      guard bounds.low <= bounds.high else { return }
      if mayDivide, cell.width > window / 40 {
        for part in 0..<6 {
          let width = cell.width / 6
          judge(Cell(start: cell.start + Double(part) * width, width: width), mayDivide: false)
        }
        return
      }
      guard let fit = permitted(bounds.low, min(bounds.high, bounds.low + 400)) else { return }
      found.append(
        Fit(
          window: window, phase: cell.start + cell.width / 2, low: fit.low, high: fit.high,
          weight: step * cell.width / window * Self.mass(fit.low, fit.high)))
    }
    for cell in Self.cells(window, bracket) { judge(cell, mayDivide: true) }
    return found
  }

  private static func cells(_ window: Double, _ bracket: (low: Double, high: Double)?) -> [Cell] {
    if let bracket {
      let low = bracket.low - 2 * LimitTerms.slack
      let high = bracket.high + 2 * LimitTerms.slack
      if high - low < window * 0.5 {
        let fine = (high - low) / 16
        let coarse = (window - (high - low)) / 30
        return (0..<16).map { Cell(start: low + Double($0) * fine, width: fine) }
          + (0..<30).map { Cell(start: high + Double($0) * coarse, width: coarse) }
      }
    }
    return (0..<46).map { Cell(start: Double($0) * window / 46, width: window / 46) }
  }

  /// The allowances that no telling request contradicts for boundaries in [p0, p1] modulo the window.
  private static func allowances(
    _ evidence: ProbeEvidence, _ window: Double, _ p0: Double, _ p1: Double, _ isCounter: Bool
  ) -> (low: Int, high: Int) {
    var low = 1
    var high = 1_000_000
    var number = -Double.infinity
    var earliest = 0.0
    var latest = 0.0
    var sentBeforeLatest = 0
    var sentBeforePrevious = 0
    var settledBefore = 0
    var settledBeforePrevious = 0
    for (index, request) in evidence.telling.enumerated() {
      let current = ((request.sent - p1) / window).rounded(.down)
      if current != number {
        number = current
        earliest = p0 + number * window - LimitTerms.slack
        latest = p1 + number * window + LimitTerms.slack
        sentBeforeLatest = evidence.sent.count(below: latest)
        settledBefore = evidence.settled.count(below: earliest)
        if isCounter {
          sentBeforePrevious = evidence.sent.count(below: latest - window)
          settledBeforePrevious = evidence.settled.count(below: earliest - window)
        }
      }
      guard request.sent >= latest, request.settled < earliest + window else { continue }
      let decided = evidence.settledBefore[index]
      let currentLow = max(0, decided - sentBeforeLatest)
      let currentHigh = evidence.sentBefore[index] - settledBefore
      if isCounter {
        let previousLow = Double(max(0, decided - sentBeforePrevious) - currentLow)
        var needed = 0.0
        if request.admitted {
          let gone = min(max((request.settled - earliest) / window, 0), 1)
          needed = previousLow * (1 - gone) + Double(currentLow)
        }
        if currentLow >= 1 {
          let gone = min(max((request.sent - earliest) / window, 0), 1)
          needed = max(needed, previousLow * (1 - gone) + Double(currentLow - 1))
        }
        if request.admitted || currentLow >= 1 { low = max(low, Int((needed + 1e-9).rounded(.down)) + 1) }
        if !request.admitted {
          let gone = min(max((request.sent - latest) / window, 0), 1)
          let estimate = Double(settledBefore - settledBeforePrevious) * (1 - gone) + Double(currentHigh)
          high = min(high, Int((estimate + 1e-9).rounded(.down)))
        }
      } else {
        low = max(low, currentLow + (request.admitted ? 1 : 0))
        if !request.admitted { high = min(high, currentHigh) }
      }
      if low > high { return (low, high) }
    }
    return (low, high)
  }
}
