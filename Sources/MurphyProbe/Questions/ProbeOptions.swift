import MurphyJudge
import MurphyModel

/// What a probe may cost, and what it should find out.
public struct ProbeOptions: Sendable {
  public var maxRequests: Int
  public var maxSeconds: Double
  /// A policy to confirm; nil probes a black box.
  public var declared: LimitPolicy?
  /// Dimensions of the key to try; empty for none.
  public var dimensions: [ProbeDimension]
  /// Whether to find out if failed requests count: the driver must be able to send an invalid request.
  public var triesInvalid: Bool
  /// Whether to send a volley of twice the allowance on a fresh window.
  public var triesRace: Bool
  /// The headers that `device` varies, as they are written.
  public var deviceHeaders: [String] = []
  /// Nobody used the base client's allowance before, so its first refusal proves something.
  public var startsQuiet = true
  /// Allowance and key only, within one window.
  public var isQuick = false
  /// The declared window is too long to wait for: what the answers announce decides whether to measure it.
  public var isWindowTooLong = false
  /// Between two requests of a burst, seconds.
  public var spacing: Double
  /// The posterior at which the algorithm counts as known.
  public var confidence: Double

  public init(
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
