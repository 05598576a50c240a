/// `expect: coverage:` how much of the contract a run must see.
public struct CoverageExpectation: Sendable, Hashable {
  /// Per cent of the coverable things.
  public var atLeast: Double?
  /// A file of what an earlier run saw: nothing of it may be missing now (a ratchet).
  public var baseline: String?
  /// Kinds that count; empty for all: `operation`, `status`, `media-type`, `header`, `branch`, `enum`, `property`.
  public var kinds: [String]

  public static let knownKinds = ["operation", "status", "media-type", "header", "branch", "enum", "property"]

  public init(atLeast: Double? = nil, baseline: String? = nil, kinds: [String] = []) {
    self.atLeast = atLeast
    self.baseline = baseline
    self.kinds = kinds
  }
}
