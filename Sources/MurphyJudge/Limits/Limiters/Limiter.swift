/// A limiter's state for one key, as a value: what it decides depends on the moments asked, and on nothing else.
///
/// Moments are seconds on any one clock and must not go back.
package protocol Limiter: Sendable {
  mutating func admits(at moment: Double) -> Bool
  /// The earliest moment, `now` or later, at which it would admit one more request if none came until then.
  func release(after now: Double) -> Double
}
