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
