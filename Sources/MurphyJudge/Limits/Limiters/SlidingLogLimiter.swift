/// Remembers every admission of the last window; if it counts refusals, those too.
package struct SlidingLogLimiter: Limiter, Equatable {
  package let allowance: Int
  package let window: Double
  package let countsRefused: Bool
  private var moments: [Double] = []
  private var first = 0

  package init(allowance: Int, window: Double, countsRefused: Bool = false) {
    self.allowance = allowance
    self.window = window
    self.countsRefused = countsRefused
  }

  package mutating func admits(at moment: Double) -> Bool {
    while first < moments.count, moments[first] <= moment - window { first += 1 }
    if first > 4096, first * 2 > moments.count {
      moments.removeFirst(first)
      first = 0
    }
    let admitted = moments.count - first < allowance
    if admitted || countsRefused { moments.append(moment) }
    return admitted
  }

  package func release(after now: Double) -> Double {
    guard moments.count - first >= allowance else { return now }
    return max(now, moments[moments.count - allowance] + window)
  }

  /// Whether both remember the same, whatever they have forgotten.
  package static func == (left: SlidingLogLimiter, right: SlidingLogLimiter) -> Bool {
    left.allowance == right.allowance && left.window == right.window && left.countsRefused == right.countsRefused
      && left.moments[left.first...] == right.moments[right.first...]
  }

  /// Forgets what can no longer matter, so that copies stay small.
  package mutating func compact() {
    guard first > 0 else { return }
    moments.removeFirst(first)
    first = 0
  }
}
