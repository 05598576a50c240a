/// `expect: strict:` what the contract does not forbid, but the scenario does.
package struct Strictness: Sendable, Hashable {
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    case undocumentedFields = "undocumented-fields"
  }

  package var rules: Set<Rule> = []
  /// JSON Pointers (RFC 6901) into bodies, `*` for any one token: fields that may be undocumented.
  package var allow: [String] = []

  package init() {}
}
