import MurphyModel

/// Any of the limiters, without the cost of an existential.
package enum LimiterModel: Limiter, Equatable {
  case fixed(FixedWindowLimiter)
  case aligned(AlignedWindowLimiter)
  case log(SlidingLogLimiter)
  case counter(SlidingCounterLimiter)
  case bucket(TokenBucketLimiter)

  /// - Parameter window: seconds; a token bucket fills in that time.
  package init(
    _ algorithm: LimitAlgorithm, allowance: Int, window: Double, phase: Double = 0, countsRefused: Bool = false
  ) {
    switch algorithm {
    case .fixed, .any: self = .fixed(FixedWindowLimiter(allowance: allowance, window: window))
    case .fixedAligned: self = .aligned(AlignedWindowLimiter(allowance: allowance, window: window, phase: phase))
    case .slidingLog:
      self = .log(SlidingLogLimiter(allowance: allowance, window: window, countsRefused: countsRefused))
    case .slidingCounter:
      self = .counter(SlidingCounterLimiter(allowance: allowance, window: window, phase: phase))
    case .tokenBucket:
      self = .bucket(TokenBucketLimiter(burst: allowance, interval: window / Double(allowance)))
    }
  }

  package mutating func admits(at moment: Double) -> Bool {
    switch self {
    case .fixed(var limiter):
      defer { self = .fixed(limiter) }
      return limiter.admits(at: moment)
    case .aligned(var limiter):
      defer { self = .aligned(limiter) }
      return limiter.admits(at: moment)
    case .log(var limiter):
      // The array must have one owner while it grows.
      self = .bucket(TokenBucketLimiter(burst: 1, interval: 0))
      defer { self = .log(limiter) }
      return limiter.admits(at: moment)
    case .counter(var limiter):
      defer { self = .counter(limiter) }
      return limiter.admits(at: moment)
    case .bucket(var limiter):
      defer { self = .bucket(limiter) }
      return limiter.admits(at: moment)
    }
  }

  package func release(after now: Double) -> Double {
    switch self {
    case .fixed(let limiter): limiter.release(after: now)
    case .aligned(let limiter): limiter.release(after: now)
    case .log(let limiter): limiter.release(after: now)
    case .counter(let limiter): limiter.release(after: now)
    case .bucket(let limiter): limiter.release(after: now)
    }
  }

  /// Forgets what can no longer matter, so that copies stay small.
  package mutating func compact() {
    guard case .log(var limiter) = self else { return }
    self = .bucket(TokenBucketLimiter(burst: 1, interval: 0))
    limiter.compact()
    self = .log(limiter)
  }
}
