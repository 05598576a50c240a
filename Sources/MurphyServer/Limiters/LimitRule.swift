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

/// How a limiter counts. All admit `allowance` requests per window; they differ in what a window is.
package enum LimiterAlgorithm: String, CaseIterable, Sendable {
  /// A window begins with the first request after the last one has ended.
  case fixed
  /// Windows begin at multiples of their length on the wall clock.
  case fixedAligned = "fixed-aligned"
  /// Each request looks back over one window length.
  case slidingLog = "sliding-log"
  /// The last aligned window weighted by its part that is still in sight, plus the current one.
  case slidingCounter = "sliding-counter"
  /// A bucket of `burst` tokens that is refilled evenly with `allowance` tokens per window.
  case tokenBucket = "token-bucket"
}

/// What a limiter remembers of one key: a pure value, told the time with each question.
///
/// Times are nanoseconds on a clock that never goes back. Looking (`nextAdmission`) and counting (`record`) are apart,
/// so that the caller decides what lies between them: nothing, if it is to be right.
protocol RequestCounter: Sendable {
  /// When a request would next be admitted: `now` if at once.
  mutating func nextAdmission(at now: Int64, under rule: LimitRule) -> Int64

  /// Counts a request that was admitted.
  mutating func record(at now: Int64, under rule: LimitRule)

  /// Counts a request that was refused, as limiters do that punish the impatient; most count it as any other.
  mutating func recordRefusal(at now: Int64, under rule: LimitRule)

  /// Requests that would still be admitted if they came now, and when there will be more of them.
  mutating func remaining(at now: Int64, under rule: LimitRule) -> (requests: Int, reset: Int64)

  /// Whether forgetting this counter changes nothing.
  func isIdle(at now: Int64, under rule: LimitRule) -> Bool
}

extension RequestCounter {
  mutating func recordRefusal(at now: Int64, under rule: LimitRule) { record(at: now, under: rule) }
}
