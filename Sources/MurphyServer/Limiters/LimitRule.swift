/// What one limiter enforces. All times in nanoseconds.
package struct LimitRule: Sendable, Equatable {
  package var algorithm: LimiterAlgorithm
  package var allowance: Int
  package var window: Int64
  /// Capacity of the token bucket; the other algorithms do not look at it.
  package var burst: Int
  /// Wall clock minus monotonic clock, so that aligned windows begin at multiples of their length since 1970.
  package var wallOffset: Int64

  package init(
    algorithm: LimiterAlgorithm, allowance: Int, window: Int64, burst: Int? = nil, wallOffset: Int64 = 0
  ) {
    self.algorithm = algorithm
    self.allowance = allowance
    self.window = window
    self.burst = burst ?? allowance
    self.wallOffset = wallOffset
  }

  /// Number of the aligned window that holds `now`.
  func windowIndex(at now: Int64) -> Int64 {
    let wall = now + wallOffset
    return wall >= 0 ? wall / window : (wall - window + 1) / window
  }

  /// When aligned window `index` begins, on the monotonic clock.
  func windowStart(_ index: Int64) -> Int64 { index * window - wallOffset }

  /// A counter that has seen no request yet.
  func freshCounter() -> any RequestCounter {
    switch algorithm {
    case .fixed: FixedWindow()
    case .fixedAligned: AlignedWindow()
    case .slidingLog: SlidingLog()
    case .slidingCounter: SlidingCounter()
    case .tokenBucket: TokenBucket()
    }
  }
}
