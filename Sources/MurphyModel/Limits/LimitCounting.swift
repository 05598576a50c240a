/// Which outcomes, besides successful admissions, take from the allowance.
public struct LimitCounting: Sendable, Hashable, Codable {
  public enum Counted: String, Sendable, Hashable, Codable {
    case yes, no
    /// Not promised: such a request may have counted, and nothing is proven from whether it did.
    case perhaps
  }

  /// Requests that were let through and then failed: any status from 400 that is not a refusal.
  public var failed: Counted
  /// Requests that the limiter itself refused.
  public var refused: Counted

  public init(failed: Counted = .perhaps, refused: Counted = .no) {
    self.failed = failed
    self.refused = refused
  }
}
