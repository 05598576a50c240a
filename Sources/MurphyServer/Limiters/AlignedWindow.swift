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
