/// A name that a session gives to a value, resolved to its place in the `Scope`.
package struct Variable: Sendable, Hashable {
  package var name: String
  /// Index into `Scenario.variables` and `Scope.values`.
  package var slot: Int

  package init(name: String, slot: Int) {
    self.name = name
    self.slot = slot
  }
}
