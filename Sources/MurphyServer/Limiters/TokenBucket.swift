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
