/// The rule of one limiter. All times in nanoseconds.
package struct LimitRule: Sendable, Equatable {
  package var algorithm: LimiterAlgorithm
  /// Requests in a window; the burst of a token bucket.
  package var allowance: Int
  /// Nanoseconds.
  package var window: Int64
  /// Capacity of the token bucket; the other algorithms ignore it.
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

  /// Number of the aligned window that contains `now`.
  func windowIndex(at now: Int64) -> Int64 {
    let wall = now + wallOffset
    return wall >= 0 ? wall / window : (wall - window + 1) / window
  }

  /// The time at which aligned window `index` begins, on the monotonic clock.
  func windowStart(_ index: Int64) -> Int64 { index * window - wallOffset }

  /// A counter without any request.
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

/// The algorithm of a limiter. All admit `allowance` requests per window; they differ in the definition of a window.
package enum LimiterAlgorithm: String, CaseIterable, Sendable {
  /// A window begins with the first request after the last one has ended.
  case fixed
  /// Windows begin at multiples of their length on the wall clock.
  case fixedAligned = "fixed-aligned"
  /// The window is one window length before each request.
  case slidingLog = "sliding-log"
  /// The last aligned window weighted by its part that is still in the sliding window, plus the current one.
  case slidingCounter = "sliding-counter"
  /// A bucket of `burst` tokens that is refilled evenly with `allowance` tokens per window.
  case tokenBucket = "token-bucket"
}

/// The state of a limiter for one key: a pure value that receives the time with each call.
///
/// Times are nanoseconds on a monotonic clock. Checking (`nextAdmission`) and counting (`record`) are separate, so that
/// the caller decides what happens between them. In a correct limiter, nothing happens between them.
protocol RequestCounter: Sendable {
  /// The time at which a request would next be admitted: `now` if immediately.
  mutating func nextAdmission(at now: Int64, under rule: LimitRule) -> Int64

  /// Counts an admitted request.
  mutating func record(at now: Int64, under rule: LimitRule)

  /// Counts a rejected request, for limiters that penalise early retries. Most count it as any other.
  mutating func recordRefusal(at now: Int64, under rule: LimitRule)

  /// Requests that would still be admitted now, and the time at which there will be more of them.
  mutating func remaining(at now: Int64, under rule: LimitRule) -> (requests: Int, reset: Int64)

  /// True if removing this counter changes nothing.
  func isIdle(at now: Int64, under rule: LimitRule) -> Bool
}

extension RequestCounter {
  mutating func recordRefusal(at now: Int64, under rule: LimitRule) { record(at: now, under: rule) }
}
