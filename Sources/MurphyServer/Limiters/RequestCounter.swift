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
