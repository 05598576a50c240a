/// Two aligned counters. The estimate is `previous · (1 − f) + current`, where `f` is the elapsed part of the current
/// window. A request is admitted if the estimate is below the allowance.
struct SlidingCounter: RequestCounter {
  private var index = Int64.min
  private var current = 0
  private var previous = 0

  private mutating func advance(to now: Int64, under rule: LimitRule) {
    let reached = rule.windowIndex(at: now)
    guard reached != index else { return }
    previous = index != .min && reached == index + 1 ? current : 0
    (index, current) = (reached, 0)
  }

  private func estimate(at now: Int64, under rule: LimitRule) -> Double {
    let passed = Double(now - rule.windowStart(index)) / Double(rule.window)
    return Double(previous) * (1 - passed) + Double(current)
  }

  mutating func nextAdmission(at now: Int64, under rule: LimitRule) -> Int64 {
    advance(to: now, under: rule)
    guard estimate(at: now, under: rule) >= Double(rule.allowance) else { return now }
    return max(now, instant(below: rule.allowance, under: rule))
  }

  /// The time at which the estimate will be below `limit`, without further requests. In this window the last window's
  /// part decreases, in the next window this one's.
  private func instant(below limit: Int, under rule: LimitRule) -> Int64 {
    let start = rule.windowStart(index)
    if current < limit { return start + Self.fall(from: previous, below: limit - current, window: rule.window) }
    return start + rule.window + Self.fall(from: current, below: limit, window: rule.window)
  }

  /// Nanoseconds into a window after which `count · (1 − f)` is below `limit`.
  private static func fall(from count: Int, below limit: Int, window: Int64) -> Int64 {
    guard count >= limit else { return 0 }
    return Int64((1 - Double(limit) / Double(count)) * Double(window)) + 1
  }

  mutating func record(at now: Int64, under rule: LimitRule) {
    advance(to: now, under: rule)
    current += 1
  }

  mutating func remaining(at now: Int64, under rule: LimitRule) -> (requests: Int, reset: Int64) {
    advance(to: now, under: rule)
    let free = max(Int((Double(rule.allowance) - estimate(at: now, under: rule)).rounded(.up)), 0)
    let reset = free < rule.allowance ? instant(below: rule.allowance - free, under: rule) : now
    return (free, reset)
  }

  func isIdle(at now: Int64, under rule: LimitRule) -> Bool { rule.windowIndex(at: now) > index + 1 }
}
