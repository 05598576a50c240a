import MurphyJudge

/// What to send: the base request of the probed operation, or a variation of it.
package struct ProbeRequest: Sendable, Hashable {
  /// Nil for the base client.
  package var variant: ProbeVariant?
  /// Should be refused as malformed (400) by the API, after the limiter let it through.
  package var isInvalid: Bool

  package init(variant: ProbeVariant? = nil, isInvalid: Bool = false) {
    self.variant = variant
    self.isInvalid = isInvalid
  }

  package static let base = ProbeRequest()
}
