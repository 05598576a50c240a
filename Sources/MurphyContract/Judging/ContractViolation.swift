import MurphyModel

/// One way in which a response violates its contract.
package struct ContractViolation: Sendable, Hashable {
  /// `contract.status`, `contract.content-type`, `contract.header`, `contract.body`, `contract.undocumented-field`
  /// or `contract.vacuous`.
  package var kind: FindingKind
  /// The actual and the expected, in one sentence.
  package var message: String
  /// The contract's requirement, without any value of the response; nil if the message has no values.
  package var claim: String?
  /// The values found at each position; empty if the message has no value.
  package var found: [String]
  /// Further details for readers, such as the closest branch of a `oneOf`.
  package var details: [String]
  /// JSON Pointer into the body; nil if the violation is not in the body.
  package var instancePointer: String?
  /// JSON Pointer into the contract, with its file before the `#` if it is not in the root document.
  package var schemaPointer: String?
  /// The position of the violated rule in the contract's files.
  package var source: SourceMark?
  /// Equal for equal violations in different responses: it contains no value of a response.
  package var discriminator: String
  /// The violated rule without a position in the response: equal for all occurrences of one mistake.
  package var rule: String
  /// The number of positions in the response; 30 means 30 or more.
  package var places = 1

  package init(
    kind: FindingKind, message: String, claim: String? = nil, found: String? = nil, details: [String] = [],
    instancePointer: String? = nil,
    schemaPointer: String? = nil, source: SourceMark? = nil, discriminator: String, rule: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.claim = found == nil ? nil : claim
    self.found = [found].compactMap(\.self)
    self.details = details
    self.instancePointer = instancePointer
    self.schemaPointer = schemaPointer
    self.source = source
    self.discriminator = discriminator
    self.rule = rule ?? self.claim ?? message
  }
}
