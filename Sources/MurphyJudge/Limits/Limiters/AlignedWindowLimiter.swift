/// Windows begin at `phase` and every whole window after it.
package struct AlignedWindowLimiter: Limiter, Equatable {
  package let allowance: Int
  package let window: Double
  package let phase: Double
  private var number = -Double.infinity
  private var count = 0

  package init(allowance: Int, window: Double, phase: Double = 0) {
    self.allowance = allowance
    self.window = window
    self.phase = phase
  }

  package mutating func admits(at moment: Double) -> Bool {
    let current = ((moment - phase) / window).rounded(.down)
    if current != number {
      number = current
      count = 0
    }
    guard count < allowance else { return false }
    count += 1
    return true
  }

  package func release(after now: Double) -> Double {
    let current = ((now - phase) / window).rounded(.down)
    return current == number && count >= allowance ? (current + 1) * window + phase : now
  }
}
