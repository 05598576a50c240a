import MurphyModel

/// One way in which an answer breaks its contract.
package struct ContractViolation: Sendable, Hashable {
  /// `contract.status`, `contract.content-type`, `contract.header`, `contract.body`, `contract.undocumented-field`
  /// or `contract.vacuous`.
  package var kind: FindingKind
  /// What was found and what the contract expects, in a sentence.
  package var message: String
  /// What the contract expects, without any value of the answer; nil where the message holds none.
  package var claim: String?
  /// What was found at each place; empty where the message holds no value.
  package var found: [String]
  /// More for people: the branch of a `oneOf` that came closest, for one.
  package var details: [String]
  /// JSON Pointer into the body; nil when the body is not meant.
  package var instancePointer: String?
  /// JSON Pointer into the contract, with its file before the `#` when it is not the root document.
  package var schemaPointer: String?
  /// Where in the contract's files the broken promise stands.
  package var source: SourceMark?
  /// Equal for equal violations of different answers: no value of an answer is in it.
  package var discriminator: String
  /// What is broken, without a place in the response: equal wherever one mistake shows.
  package var rule: String
  /// How many places of the answer show it; 30 stands for 30 or more.
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
