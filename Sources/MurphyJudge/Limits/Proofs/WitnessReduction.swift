/// Finds few requests that still prove what many prove.
///
/// Over-admission is monotone: adding admissions never excuses others. So the shortest proving prefix and then the
/// shortest proving suffix of it are found by bisection, and single requests are dropped while the proof holds.
package enum WitnessReduction {
  /// - Parameters:
  ///   - hint: requests among which a proof is expected; tried first.
  ///   - fires: whether a trace still proves it.
  /// - Returns: indices into `trace.requests`, ascending; a proof by themselves.
  package static func reduce(
    _ trace: LimitTrace, hint: [Int], budget: Int = 400, fires: (LimitTrace) -> Bool
  ) -> [Int] {
    var chosen = hint
    if hint.isEmpty || !fires(trace.restricted(to: hint)) {
      var certain = trace.requests.indices.filter { trace.requests[$0].role != .refused }
      // A refusal proves nothing, but its moment may show how much was counted by then.
      if !fires(trace.restricted(to: certain)) { certain = Array(trace.requests.indices) }
      let end = smallest(1...max(certain.count, 1)) { fires(trace.restricted(to: certain.prefix($0))) }
      let prefix = certain.prefix(end)
      let length = smallest(1...max(prefix.count, 1)) { fires(trace.restricted(to: prefix.suffix($0))) }
      chosen = Array(prefix.suffix(length))
    }
    return dropping(from: chosen, trace, budget: budget, fires: fires)
  }

  /// Drops chunks, then single requests, as long as what is left still proves it.
  private static func dropping(
    from start: [Int], _ trace: LimitTrace, budget: Int, fires: (LimitTrace) -> Bool
  ) -> [Int] {
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
        if !fewer.isEmpty, fires(trace.restricted(to: fewer)) {
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

  /// The smallest number in the range for which a monotone condition holds; the largest if for none.
  static func smallest(_ range: ClosedRange<Int>, where holds: (Int) -> Bool) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The largest number from `start` on for which a monotone condition holds, `start` itself holding.
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
