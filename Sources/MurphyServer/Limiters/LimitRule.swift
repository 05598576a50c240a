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

/// Windows that begin at multiples of their length on the wall clock, whoever comes.
struct AlignedWindow: RequestCounter {
  private var index = Int64.min
  private var count = 0

  mutating func nextAdmission(at now: Int64, under rule: LimitRule) -> Int64 {
    rule.windowIndex(at: now) != index || count < rule.allowance ? now : rule.windowStart(index + 1)
  }

  mutating func record(at now: Int64, under rule: LimitRule) {
    let current = rule.windowIndex(at: now)
    if current != index { (index, count) = (current, 0) }
    count += 1
  }

  mutating func recordRefusal(at now: Int64, under rule: LimitRule) { count += 1 }

  mutating func remaining(at now: Int64, under rule: LimitRule) -> (requests: Int, reset: Int64) {
    let current = rule.windowIndex(at: now)
    return (current == index ? max(rule.allowance - count, 0) : rule.allowance, rule.windowStart(current + 1))
  }

  func isIdle(at now: Int64, under rule: LimitRule) -> Bool { rule.windowIndex(at: now) != index }
}

/// The times of the requests within one window length before now; exact, at eight bytes a request.
struct SlidingLog: RequestCounter {
  private var times: [Int64] = []

  private mutating func forget(before now: Int64, under rule: LimitRule) {
    let kept = times.firstIndex { $0 > now - rule.window } ?? times.count
    if kept > 0 { times.removeFirst(kept) }
  }

  mutating func nextAdmission(at now: Int64, under rule: LimitRule) -> Int64 {
    forget(before: now, under: rule)
    return times.count < rule.allowance ? now : times[times.count - rule.allowance] + rule.window
  }

  mutating func record(at now: Int64, under rule: LimitRule) {
    forget(before: now, under: rule)
    times.append(now)
  }

  mutating func recordRefusal(at now: Int64, under rule: LimitRule) { record(at: now, under: rule) }

  mutating func remaining(at now: Int64, under rule: LimitRule) -> (requests: Int, reset: Int64) {
    forget(before: now, under: rule)
    return (max(rule.allowance - times.count, 0), times.first.map { $0 + rule.window } ?? now)
  }

  func isIdle(at now: Int64, under rule: LimitRule) -> Bool { times.last.map { $0 <= now - rule.window } ?? true }
}

/// A token bucket in the form of the generic cell rate algorithm: one instant, the theoretical arrival time (TAT),
/// stands for the level. With T = window / allowance, a request is admitted at t ≥ TAT − (burst − 1)·T and moves TAT to
/// max(t, TAT) + T.
struct TokenBucket: RequestCounter {
  /// Nil for a full bucket.
  private var arrival: Int64?

  private func interval(_ rule: LimitRule) -> Int64 { rule.window / Int64(rule.allowance) }

  mutating func nextAdmission(at now: Int64, under rule: LimitRule) -> Int64 {
    guard let arrival else { return now }
    return max(now, arrival - Int64(rule.burst - 1) * interval(rule))
  }

  mutating func record(at now: Int64, under rule: LimitRule) {
    arrival = max(arrival ?? now, now) + interval(rule)
  }

  /// A refused request takes a token that is not there yet; the debt ends at one full bucket.
  mutating func recordRefusal(at now: Int64, under rule: LimitRule) {
    arrival = min((arrival ?? now) + interval(rule), now + 2 * Int64(rule.burst) * interval(rule))
  }

  mutating func remaining(at now: Int64, under rule: LimitRule) -> (requests: Int, reset: Int64) {
    guard let arrival, arrival > now else { return (rule.burst, now) }
    let missing = (arrival - now + interval(rule) - 1) / interval(rule)
    return (max(rule.burst - Int(missing), 0), arrival - (min(missing, Int64(rule.burst)) - 1) * interval(rule))
  }

  func isIdle(at now: Int64, under rule: LimitRule) -> Bool { arrival.map { $0 <= now } ?? true }
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

  /// Counts a request that was refused, as limiters do that punish the impatient.
  mutating func recordRefusal(at now: Int64, under rule: LimitRule)

  /// Requests that would still be admitted if they came now, and when there will be more of them.
  mutating func remaining(at now: Int64, under rule: LimitRule) -> (requests: Int, reset: Int64)

  /// Whether forgetting this counter changes nothing.
  func isIdle(at now: Int64, under rule: LimitRule) -> Bool
}
