import MurphyJudge
import MurphyModel

/// The maximum cost of a probe, and the questions that it must answer.
package struct ProbeOptions: Sendable {
  /// The probe ends before it sends more.
  package var maxRequests: Int
  /// The probe ends before it takes longer.
  package var maxSeconds: Double
  /// A policy to confirm; nil probes a black box.
  package var declared: LimitPolicy?
  /// Dimensions of the key to test; empty for none.
  package var dimensions: [ProbeDimension]
  /// True if the probe must determine whether failed requests count: the driver must be able to send an invalid
  /// request.
  package var triesInvalid: Bool
  /// True if the probe sends a volley of twice the allowance on a fresh window.
  package var triesRace: Bool
  /// The headers that `device` varies, as they are written.
  package var deviceHeaders: [String] = []
  /// Other declared limits of the operation: effects that they explain do not contradict the declared one.
  package var rivals: [LimitPolicy] = []
  /// True if the base client's counters under those were empty, too.
  package var rivalsStartQuiet = true
  /// True if the base client's quota was unused, so that its first rejection is evidence.
  package var startsQuiet = true
  /// Allowance and key only, within one window.
  package var isQuick = false
  /// The declared window is too long to wait for: the announcements in responses decide if it is measured.
  package var isWindowTooLong = false
  /// The coarsest step of the server's clock for which a contradiction must be valid, in seconds.
  package var tick = 0.001
  /// The interval between two requests of a burst, in seconds.
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
