/// A window that begins with its first request: `{count, resetTime}` in most web frameworks.
struct FixedWindow: RequestCounter {
  private var end = Int64.min
  private var count = 0

  mutating func nextAdmission(at now: Int64, under rule: LimitRule) -> Int64 {
    now >= end || count < rule.allowance ? now : end
  }

  mutating func record(at now: Int64, under rule: LimitRule) {
    if now >= end { (end, count) = (now + rule.window, 0) }
    count += 1
  }

  /// The window begins anew, as with a key whose expiry is set on every increment.
  mutating func recordRefusal(at now: Int64, under rule: LimitRule) {
    count += 1
    end = now + rule.window
  }

  mutating func remaining(at now: Int64, under rule: LimitRule) -> (requests: Int, reset: Int64) {
    now >= end ? (rule.allowance, now) : (max(rule.allowance - count, 0), end)
  }

  func isIdle(at now: Int64, under rule: LimitRule) -> Bool { now >= end }
}
