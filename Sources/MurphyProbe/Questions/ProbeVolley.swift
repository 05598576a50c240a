import MurphyJudge

/// Requests to send in one go, open loop: number i no earlier than `at + i · spacing`, whatever the answers do.
package struct ProbeVolley: Sendable {
  /// Seconds on the prober's clock; sending earlier would falsify the experiment, sending later only costs precision.
  package var at: Double
  /// Seconds; 0 sends all at once, each on its own connection.
  package var spacing: Double
  package var requests: [ProbeRequest]
  /// Sending stops once this many refusals were answered; nil sends all.
  package var stopsAfterRefusals: Int?
  /// Seconds without an admitted request that the experiment needs before it. A target that sends requests of its own
  /// between two volleys sends this one later when it was admitted.
  package var quiet: Double

  package init(
    at: Double, spacing: Double, requests: [ProbeRequest], stopsAfterRefusals: Int? = nil, quiet: Double = 0
  ) {
    self.at = at
    self.spacing = spacing
    self.requests = requests
    self.stopsAfterRefusals = stopsAfterRefusals
    self.quiet = quiet
  }
}
