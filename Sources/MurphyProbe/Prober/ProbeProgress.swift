import MurphyJudge

/// Where a probe stands, for a progress line.
public struct ProbeProgress: Sendable, Hashable {
  /// `using up the allowance`, `waiting for the first release`, `telling algorithms apart` …
  package var stage: String
  package var phase: ProbePhase.Name
  package var requests: Int
  /// Seconds since the probe began.
  package var elapsed: Double
  /// Seconds that the probe may still take at most; nothing is begun that would take longer.
  package var remaining: Double

  package init(stage: String, phase: ProbePhase.Name, requests: Int, elapsed: Double, remaining: Double) {
    self.stage = stage
    self.phase = phase
    self.requests = requests
    self.elapsed = elapsed
    self.remaining = remaining
  }
}
