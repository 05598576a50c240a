/// What a rule checks a trace against: so many in so long, decided by a clock that steps.
package struct LimitTerms: Sendable, Hashable {
  package var allowance: Int
  /// Seconds.
  package var window: Double
  /// The server's clock shows some moment of the last `tick` seconds, so a decision made at d was made as of a
  /// moment in [d − tick, d].
  package var tick: Double

  package init(allowance: Int, window: Double, tick: Double = 0) {
    self.allowance = allowance
    self.window = window
    self.tick = tick
  }

  /// Slack for `<` against `<=` and for rounding to milliseconds, seconds.
  package static let slack = 2e-3
  /// How far two clocks may run apart, over elapsed time. NTP slews by at most 5e-4, usually below 5e-5.
  package static let drift = 1e-4

  /// The window if the server's clock runs fast: over-admission is proven against this.
  var shortWindow: Double { window * (1 - Self.drift) }
  /// The window if the server's clock runs slow: over-throttling is proven against this.
  var longWindow: Double { window * (1 + Self.drift) }
}
