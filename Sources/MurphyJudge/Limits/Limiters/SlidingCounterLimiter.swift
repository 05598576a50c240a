/// Admits while the previous window's count, weighted by its share in the sliding window, plus the current count is
/// less than the allowance.
package struct SlidingCounterLimiter: Limiter, Equatable {
  package let allowance: Int
  package let window: Double
  package let phase: Double
  private var number = -Double.infinity
  private var count = 0
  private var previous = 0

  package init(allowance: Int, window: Double, phase: Double = 0) {
    self.allowance = allowance
    self.window = window
    self.phase = phase
  }

  package mutating func admits(at moment: Double) -> Bool {
    let position = (moment - phase) / window
    let current = position.rounded(.down)
    if current != number {
      previous = current == number + 1 ? count : 0
      number = current
      count = 0
    }
    guard Double(previous) * (1 - (position - current)) + Double(count) < Double(allowance) else { return false }
    count += 1
    return true
  }

  package func release(after now: Double) -> Double {
    let current = ((now - phase) / window).rounded(.down)
    var (count, previous) = current == number ? (count, previous) : (0, current == number + 1 ? count : 0)
    for ahead in 0..<3 {
      let room = Double(allowance - count)
      if room > 0 {
        let gone = previous == 0 ? 0 : max(0, 1 - room / Double(previous))
        if gone < 1 { return max(now, (current + Double(ahead) + gone) * window + phase) }
      }
      (previous, count) = (count, 0)
    }
    return now
  }
}
