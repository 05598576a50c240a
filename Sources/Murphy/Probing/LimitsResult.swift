import MurphyModel

/// What `murphy limits` found out: one entry for each limit that was probed.
public struct LimitsResult: Sendable, Codable, Hashable {
  public var scenario: String
  public var target: String
  public var version: String
  public var verdict: Verdict
  /// Why the verdict is what it is.
  public var reasons: [String]
  public var limits: [ProbedLimit]
  /// The user ended it before all was known.
  public var isCutShort: Bool
}

/// One limiter, as the probe saw it.
public struct ProbedLimit: Sendable, Codable, Hashable {
  /// The policy's name, or the operationId.
  public var name: String
  /// The operation that was called.
  public var operation: String
  /// What was promised; nil for a black box.
  public var policy: LimitPolicy?
  public var report: ProbeReport
  /// What the sound rules prove from the probe's own log; nil without a promise.
  public var row: LimitRow?
  public var findings: [Finding]
  public var verdict: Verdict
}
