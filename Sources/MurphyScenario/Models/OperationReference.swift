import MurphyModel

/// An operation of the contract as a scenario names it.
package struct OperationReference: Sendable, Hashable {
  /// The operationId.
  package var id: String
  /// Index into the contract's operations; nil when the scenario was read without its contract.
  package var index: Int?

  package init(id: String, index: Int? = nil) {
    self.id = id
    self.index = index
  }
}
