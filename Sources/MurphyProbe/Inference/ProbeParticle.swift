import MurphyJudge

/// One limiter that may be the one probed, and how likely.
package struct ProbeParticle: Sendable {
  package var hypothesis: ProbeHypothesis
  package var allowance: Int
  /// Seconds; for a bucket the time to fill.
  package var window: Double
  package var phase: Double
  package var weight: Double

  /// What distinguishes particles of one hypothesis: the window, or a bucket's interval.
  var scale: Double { hypothesis == .bucket ? window / Double(allowance) : window }

  func limiter() -> LimiterModel {
    LimiterModel(
      hypothesis.algorithm, allowance: allowance, window: window, phase: phase,
      countsRefused: hypothesis == .logCountingRefused)
  }
}
