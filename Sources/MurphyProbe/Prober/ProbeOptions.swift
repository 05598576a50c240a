import MurphyJudge
import MurphyModel

/// What a probe may cost, and what it should find out.
package struct ProbeOptions: Sendable {
  package var maxRequests: Int
  package var maxSeconds: Double
  /// A policy to confirm; nil probes a black box.
  package var declared: LimitPolicy?
  /// Dimensions of the key to try; empty for none.
  package var dimensions: [ProbeDimension]
  /// Whether to find out if failed requests count: the driver must be able to send an invalid request.
  package var triesInvalid: Bool
  /// Whether to send a volley of twice the allowance on a fresh window.
  package var triesRace: Bool
  /// The headers that `device` varies, as they are written.
  package var deviceHeaders: [String] = []
  /// Other declared limits of the operation: what they explain proves nothing against the declared one.
  package var rivals: [LimitPolicy] = []
  /// The base client's counters under those were empty, too.
  package var rivalsStartQuiet = true
  /// Nobody used the base client's allowance before, so its first refusal proves something.
  package var startsQuiet = true
  /// Allowance and key only, within one window.
  package var isQuick = false
  /// The declared window is too long to wait for: what the answers announce decides whether to measure it.
  package var isWindowTooLong = false
  /// The coarsest step of the server's clock under which a contradiction must hold, seconds.
  package var tick = 0.001
  /// Between two requests of a burst, seconds.
  package var spacing: Double
  /// The posterior at which the algorithm counts as known.
  package var confidence: Double

  package init(
    maxRequests: Int = 5000, maxSeconds: Double = 600, declared: LimitPolicy? = nil,
    dimensions: [ProbeDimension] = [], triesInvalid: Bool = false, triesRace: Bool = false,
    spacing: Double = 0.001, confidence: Double = 0.99
  ) {
    self.maxRequests = maxRequests
    self.maxSeconds = maxSeconds
    self.declared = declared
    self.dimensions = dimensions
    self.triesInvalid = triesInvalid
    self.triesRace = triesRace
    self.spacing = spacing
    self.confidence = confidence
  }
}
