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
