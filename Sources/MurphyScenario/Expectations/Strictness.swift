/// `expect: strict:` what the contract does not forbid, but the scenario does.
public struct Strictness: Sendable, Hashable {
  public enum Rule: String, Sendable, Hashable, CaseIterable {
    case undocumentedFields = "undocumented-fields"
  }

  public var rules: Set<Rule> = []
  /// JSON Pointers (RFC 6901) into bodies, `*` for any one token: fields that may be undocumented.
  public var allow: [String] = []

  public init() {}
}
