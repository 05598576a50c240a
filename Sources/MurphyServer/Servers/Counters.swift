/// A window that begins with its first request: `{count, resetTime}` in most web frameworks.
struct FixedWindow: RequestCounter {
  private var end = Int64.min
  private var count = 0

  mutating func nextAdmission(at now: Int64, under rule: LimiterRule) -> Int64 {
    now >= end || count < rule.allowance ? now : end
  }

  mutating func record(at now: Int64, under rule: LimiterRule) {
    if now >= end { (end, count) = (now + rule.window, 0) }
    count += 1
  }

  /// The window begins again, as with a key whose expiry is set on every increment.
  mutating func recordRefusal(at now: Int64, under rule: LimiterRule) {
    count += 1
    end = now + rule.window
  }

  mutating func remaining(at now: Int64, under rule: LimiterRule) -> (requests: Int, reset: Int64) {
    now >= end ? (rule.allowance, now) : (max(rule.allowance - count, 0), end)
  }

  func isIdle(at now: Int64, under rule: LimiterRule) -> Bool { now >= end }
}

/// Windows that begin at multiples of their length on the wall clock, independently of requests.
struct AlignedWindow: RequestCounter {
  private var index = Int64.min
  private var count = 0

  mutating func nextAdmission(at now: Int64, under rule: LimiterRule) -> Int64 {
    rule.windowIndex(at: now) != index || count < rule.allowance ? now : rule.windowStart(index + 1)
  }

  mutating func record(at now: Int64, under rule: LimiterRule) {
    let current = rule.windowIndex(at: now)
    if current != index { (index, count) = (current, 0) }
    count += 1
  }

  mutating func remaining(at now: Int64, under rule: LimiterRule) -> (requests: Int, reset: Int64) {
    let current = rule.windowIndex(at: now)
    return (current == index ? max(rule.allowance - count, 0) : rule.allowance, rule.windowStart(current + 1))
  }

  func isIdle(at now: Int64, under rule: LimiterRule) -> Bool { rule.windowIndex(at: now) != index }
}

/// The times of the requests within one window length before now; exact, at eight bytes per request.
struct SlidingLog: RequestCounter {
  private var times: [Int64] = []

  private mutating func forget(before now: Int64, under rule: LimiterRule) {
    let kept = times.firstIndex { $0 > now - rule.window } ?? times.count
    if kept > 0 { times.removeFirst(kept) }
  }

  mutating func nextAdmission(at now: Int64, under rule: LimiterRule) -> Int64 {
    forget(before: now, under: rule)
    return times.count < rule.allowance ? now : times[times.count - rule.allowance] + rule.window
  }

  mutating func record(at now: Int64, under rule: LimiterRule) {
    forget(before: now, under: rule)
    times.append(now)
  }

  mutating func remaining(at now: Int64, under rule: LimiterRule) -> (requests: Int, reset: Int64) {
    forget(before: now, under: rule)
    return (max(rule.allowance - times.count, 0), times.first.map { $0 + rule.window } ?? now)
  }

  func isIdle(at now: Int64, under rule: LimiterRule) -> Bool { times.last.map { $0 <= now - rule.window } ?? true }
}

/// A token bucket in the form of the generic cell rate algorithm: one instant, the theoretical arrival time (TAT),
/// represents the level. With T = window / allowance, a request is admitted at t ≥ TAT − (burst − 1)·T and moves TAT to
/// max(t, TAT) + T.
struct TokenBucket: RequestCounter {
  /// Nil for a full bucket.
  private var arrival: Int64?

  private func interval(_ rule: LimiterRule) -> Int64 { rule.window / Int64(rule.allowance) }

  mutating func nextAdmission(at now: Int64, under rule: LimiterRule) -> Int64 {
    guard let arrival else { return now }
    return max(now, arrival - Int64(rule.burst - 1) * interval(rule))
  }

  mutating func record(at now: Int64, under rule: LimiterRule) {
    arrival = max(arrival ?? now, now) + interval(rule)
  }

  /// A rejected request takes a token in advance; the debt is limited to one full bucket.
  mutating func recordRefusal(at now: Int64, under rule: LimiterRule) {
    arrival = min((arrival ?? now) + interval(rule), now + 2 * Int64(rule.burst) * interval(rule))
  }

  mutating func remaining(at now: Int64, under rule: LimiterRule) -> (requests: Int, reset: Int64) {
    guard let arrival, arrival > now else { return (rule.burst, now) }
    let missing = (arrival - now + interval(rule) - 1) / interval(rule)
    return (max(rule.burst - Int(missing), 0), arrival - (min(missing, Int64(rule.burst)) - 1) * interval(rule))
  }

  func isIdle(at now: Int64, under rule: LimiterRule) -> Bool { arrival.map { $0 <= now } ?? true }
}

/// Two aligned counters. The estimate is `previous · (1 − f) + current`, where `f` is the elapsed part of the current
/// window. A request is admitted if the estimate is below the allowance.
struct SlidingCounter: RequestCounter {
  private var index = Int64.min
  private var current = 0
  private var previous = 0

  private mutating func advance(to now: Int64, under rule: LimiterRule) {
    let reached = rule.windowIndex(at: now)
    guard reached != index else { return }
    previous = index != .min && reached == index + 1 ? current : 0
    (index, current) = (reached, 0)
  }

  private func estimate(at now: Int64, under rule: LimiterRule) -> Double {
    let passed = Double(now - rule.windowStart(index)) / Double(rule.window)
    return Double(previous) * (1 - passed) + Double(current)
  }

  mutating func nextAdmission(at now: Int64, under rule: LimiterRule) -> Int64 {
    advance(to: now, under: rule)
    guard estimate(at: now, under: rule) >= Double(rule.allowance) else { return now }
    return max(now, instant(below: rule.allowance, under: rule))
  }

  /// The time at which the estimate will be below `limit`, without further requests. In this window the last window's
  /// part decreases, in the next window this one's.
  private func instant(below limit: Int, under rule: LimiterRule) -> Int64 {
    let start = rule.windowStart(index)
    if current < limit { return start + Self.fall(from: previous, below: limit - current, window: rule.window) }
    return start + rule.window + Self.fall(from: current, below: limit, window: rule.window)
  }

  /// Nanoseconds into a window after which `count · (1 − f)` is below `limit`.
  private static func fall(from count: Int, below limit: Int, window: Int64) -> Int64 {
    guard count >= limit else { return 0 }
    return Int64((1 - Double(limit) / Double(count)) * Double(window)) + 1
  }

  mutating func record(at now: Int64, under rule: LimiterRule) {
    advance(to: now, under: rule)
    current += 1
  }

  mutating func remaining(at now: Int64, under rule: LimiterRule) -> (requests: Int, reset: Int64) {
    advance(to: now, under: rule)
    let free = max(Int((Double(rule.allowance) - estimate(at: now, under: rule)).rounded(.up)), 0)
    let reset = free < rule.allowance ? instant(below: rule.allowance - free, under: rule) : now
    return (free, reset)
  }

  func isIdle(at now: Int64, under rule: LimiterRule) -> Bool { rule.windowIndex(at: now) > index + 1 }
}
