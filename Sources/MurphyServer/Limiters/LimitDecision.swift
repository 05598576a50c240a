/// What a limiter said to one request. All times in nanoseconds from the decision.
package struct LimitDecision: Sendable, Equatable {
  package var isAdmitted: Bool
  /// Until a request would be admitted; 0 if this one was.
  package var wait: Int64
  /// Requests that would still be admitted now.
  package var remaining: Int
  /// Until more will be admitted than `remaining`.
  package var reset: Int64
}
