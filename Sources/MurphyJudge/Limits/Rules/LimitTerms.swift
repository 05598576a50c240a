/// What a rule checks a trace against: so many in so long, decided by a clock that steps.
package struct LimitTerms: Sendable, Hashable {
  package var allowance: Int
  /// Seconds.
  package var window: Double
  /// The server's clock shows some moment of the last `tick` seconds, so a decision made at d was made as of a
  /// moment in [d − tick, d].
  package var tick: Double
  /// How far the server's clock may run apart from ours, over elapsed time; 0 on the same machine.
  package var drift: Double
  /// Where aligned windows begin, if that is known.
  package var phase: AlignedWindowRule.KnownPhase?

  package init(
    allowance: Int, window: Double, tick: Double = 0, drift: Double = LimitTerms.usualDrift,
    phase: AlignedWindowRule.KnownPhase? = nil
  ) {
    self.allowance = allowance
    self.window = window
    self.tick = tick
    self.drift = drift
    self.phase = phase
  }

  func with(allowance: Int) -> LimitTerms {
    LimitTerms(allowance: allowance, window: window, tick: tick, drift: drift, phase: phase)
  }

  /// Slack for `<` against `<=` and for rounding to milliseconds, seconds.
  package static let slack = 2e-3
  /// Between two machines: NTP slews by at most 5e-4, usually by less than 5e-5.
  package static let usualDrift = 1e-4

  /// The window if the server's clock runs fast: over-admission is proven against this.
  var shortWindow: Double { window * (1 - drift) }
  /// The window if the server's clock runs slow: over-throttling is proven against this.
  var longWindow: Double { window * (1 + drift) }
}
