/// A verdict with its reasons.
public struct SchemaCheck: Sendable, Hashable {
  /// Whether the value conforms.
  public let verdict: SchemaVerdict
  /// Every violation, up to 100, where the verdict is `invalid`; else empty.
  public let violations: [SchemaViolation]
}
