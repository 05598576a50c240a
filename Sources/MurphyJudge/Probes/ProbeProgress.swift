/// Where a probe stands, for a progress line.
public struct ProbeProgress: Sendable, Hashable {
  /// `exhausting`, `waiting for the first release`, `telling algorithms apart` …
  public var stage: String
  public var requests: Int
  /// Seconds since the probe began.
  public var elapsed: Double
  /// An estimate; nil while nothing is known of the window.
  public var remaining: Double?

  public init(stage: String, requests: Int, elapsed: Double, remaining: Double?) {
    self.stage = stage
    self.requests = requests
    self.elapsed = elapsed
    self.remaining = remaining
  }
}
