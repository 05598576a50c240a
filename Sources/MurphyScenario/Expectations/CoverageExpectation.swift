/// `expect: coverage:` how much of the contract a run must see.
package struct CoverageExpectation: Sendable, Hashable {
  /// Per cent of the coverable things.
  package var atLeast: Double?
  /// A file of what an earlier run saw: nothing of it may be missing now (a ratchet).
  package var baseline: String?
  /// Kinds that count; empty for all: `operation`, `status`, `media-type`, `header`, `branch`, `enum`, `property`.
  package var kinds: [String]

  package static let knownKinds = ["operation", "status", "media-type", "header", "branch", "enum", "property"]

  package init(atLeast: Double? = nil, baseline: String? = nil, kinds: [String] = []) {
    self.atLeast = atLeast
    self.baseline = baseline
    self.kinds = kinds
  }
}
