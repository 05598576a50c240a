/// Requests to send in one go, open loop: number i no earlier than `at + i · spacing`, whatever the answers do.
public struct ProbeVolley: Sendable {
  /// Seconds on the prober's clock; sending earlier would falsify the experiment, sending later only costs precision.
  public var at: Double
  /// Seconds; 0 sends all at once, each on its own connection.
  public var spacing: Double
  public var requests: [ProbeRequest]
  /// Sending stops once this many refusals were answered; nil sends all.
  public var stopsAfterRefusals: Int?

  public init(at: Double, spacing: Double, requests: [ProbeRequest], stopsAfterRefusals: Int? = nil) {
    self.at = at
    self.spacing = spacing
    self.requests = requests
    self.stopsAfterRefusals = stopsAfterRefusals
  }
}
