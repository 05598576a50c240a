/// A window begins with the first request after the last one ended.
package struct FixedWindowLimiter: Limiter, Equatable {
  package let allowance: Int
  package let window: Double
  private var end = -Double.infinity
  private var count = 0

  package init(allowance: Int, window: Double) {
    self.allowance = allowance
    self.window = window
  }

  package mutating func admits(at moment: Double) -> Bool {
    if moment >= end {
      end = moment + window
      count = 0
    }
    guard count < allowance else { return false }
    count += 1
    return true
  }

  package func release(after now: Double) -> Double { count >= allowance ? max(now, end) : now }
}
