/// GCRA (ITU-T I.371): equal to a bucket of `burst` tokens, full at first, one back every `interval` seconds.
package struct TokenBucketLimiter: Limiter, Equatable {
  package let burst: Int
  package let interval: Double
  /// The theoretical arrival time of the next request at the steady rate.
  private var arrival = -Double.infinity

  package init(burst: Int, interval: Double) {
    self.burst = burst
    self.interval = interval
  }

  private var tolerance: Double { Double(burst - 1) * interval }

  package mutating func admits(at moment: Double) -> Bool {
    guard arrival - tolerance <= moment + 1e-12 else { return false }
    arrival = max(moment, arrival) + interval
    return true
  }

  package func release(after now: Double) -> Double { max(now, arrival - tolerance) }
}
