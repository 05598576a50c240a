import MurphyModel

/// Selects a few requests that still prove an over-admission that many prove.
///
/// Bisection finds the shortest proving prefix and then its shortest proving suffix; single requests are dropped while
/// the proof holds. A dropped request may have begun a window, so the proof must hold with windows that begin at any
/// time. Where it does not, the dropped requests remain in it as starters.
package struct WitnessReduction {
  private let trace: LimitTrace
  private let algorithm: LimitAlgorithm
  private let terms: LimitTerms
  private let budget: Int
  /// True if the witness is valid without the key's other requests.
  package let isComplete: Bool

  /// - Parameter budget: the maximum of attempts to drop some requests.
  package init(_ trace: LimitTrace, _ algorithm: LimitAlgorithm, _ terms: LimitTerms, budget: Int = 400) {
    self.trace = trace
    self.algorithm = algorithm
    self.terms = terms
    self.budget = budget
    isComplete = LimitCheck.excess(trace.alone(trace.requests.indices), algorithm, terms) != nil
  }

  /// The trace for the judgement of a selection of requests.
  package func part(_ indices: some Sequence<Int>) -> LimitTrace {
    isComplete ? trace.alone(indices) : trace.keepingStarters(indices, window: terms.longWindow)
  }

  private func fires(_ indices: some Sequence<Int>) -> Bool {
    LimitCheck.excess(part(indices), algorithm, terms) != nil
  }

  /// Indices into the trace's requests, ascending.
  ///
  /// - Parameter hint: requests among which a proof is expected; tried first.
  package func witness(hint: [Int]) -> [Int] {
    if !hint.isEmpty, fires(hint) {
      return dropping(from: hint.count > 2 * terms.allowance + 2 ? bisected(hint) : hint)
    }
    var certain = trace.requests.indices.filter { trace.requests[$0].role == .certain }
    // A rejection proves nothing, but its time may show how many requests were counted by then.
    if !fires(certain) { certain = Array(trace.requests.indices) }
    return dropping(from: bisected(certain))
  }

  /// The shortest proving suffix that bisection finds of the shortest proving prefix.
  private func bisected(_ indices: [Int]) -> [Int] {
    let end = (1..<max(indices.count, 1)).partitioningIndex { fires(indices.prefix($0)) }
    let prefix = indices.prefix(end)
    let length = (1..<max(prefix.count, 1)).partitioningIndex { fires(prefix.suffix($0)) }
    return Array(prefix.suffix(length))
  }

  /// Drops chunks, then single requests, as long as the rest still proves it.
  private func dropping(from start: [Int]) -> [Int] {
    var chosen = start
    var tries = 0
    var size = max(1, chosen.count / 2)
    while true {
      var index = 0
      var dropped = false
      while index < chosen.count, tries < budget {
        var fewer = chosen
        fewer.removeSubrange(index..<min(index + size, chosen.count))
        tries += 1
        if !fewer.isEmpty, fires(fewer) {
          chosen = fewer
          dropped = true
        } else {
          index += size
        }
      }
      if tries >= budget || (size == 1 && !dropped) { return chosen }
      size = max(1, size / 2)
    }
  }

  /// The largest number from `start` on for which a monotone condition is true. It must be true for `start`.
  static func largest(from start: Int, atMost bound: Int, where holds: (Int) -> Bool) -> Int {
    var good = start
    var step = 1
    while good + step <= bound, holds(good + step) {
      good += step
      step *= 2
    }
    var low = good
    var high = min(good + step, bound + 1)
    while low + 1 < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return low
  }
}
