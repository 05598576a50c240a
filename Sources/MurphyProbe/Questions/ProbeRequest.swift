import MurphyJudge

/// What to send: the base request of the probed operation, or a variation of it.
public struct ProbeRequest: Sendable, Hashable {
  /// Nil for the base client.
  public var variant: ProbeVariant?
  /// Should be refused as malformed (400) by the API, after the limiter let it through.
  public var isInvalid: Bool

  public init(variant: ProbeVariant? = nil, isInvalid: Bool = false) {
    self.variant = variant
    self.isInvalid = isInvalid
  }

  public static let base = ProbeRequest()
}
