import MurphyModel

/// `expect: relations:` the settings for the relations that a contract implies: required, adjusted or switched off.
///
/// docs/relations.md explains each key.
package struct RelationExpectation: Sendable, Hashable {
  /// The settings for one operation, or for all of them.
  package struct Operation: Sendable, Hashable {
    /// True if a relation is required, false if it is not checked.
    package var rules: [RelationRule: Bool] = [:]
    /// By parameter: the same for single filters.
    package var filters: [String: Bool] = [:]
    /// Values of the sort parameter that do not sort by the field of that name.
    package var unsorted: Set<String> = []
    /// The order of a list if a request does not specify one.
    package var order: ListOrder?
    /// The orders for values of the sort parameter that are not fields.
    package var sorts: [String: ListOrder] = [:]
    /// The maximum staleness of a response.
    package var stale: Duration?
    /// True if only this run writes.
    package var isExclusive: Bool?
    /// True if the total counts all items, regardless of the filters.
    package var countsAll: Bool?
    /// True if a search does not find more when letters are added to its text.
    package var narrows: Bool?
    /// True if murphy reads the collection page by page after the load.
    package var walks: Bool?
    /// Fields that may differ between a list and the item itself.
    package var ignored: Set<String> = []
    /// The time within which a request accepted with 202 takes effect; nil if unknown.
    package var settles: Duration?
    /// True if nothing is checked.
    package var isOff = false

    package init() {}

    /// These settings, with unset ones taken from `base`.
    package func over(_ base: Operation) -> Operation {
      var whole = self
      whole.rules = base.rules.merging(rules) { $1 }
      whole.filters = base.filters.merging(filters) { $1 }
      whole.unsorted.formUnion(base.unsorted)
      whole.ignored.formUnion(base.ignored)
      whole.order = order ?? base.order
      whole.sorts = base.sorts.merging(sorts) { $1 }
      whole.stale = stale ?? base.stale
      whole.isExclusive = isExclusive ?? base.isExclusive
      whole.countsAll = countsAll ?? base.countsAll
      whole.narrows = narrows ?? base.narrows
      whole.walks = walks ?? base.walks
      whole.isOff = isOff || base.isOff
      return whole
    }
  }

  /// `"*"`.
  package var all = Operation()
  /// By operationId.
  package var operations: [String: Operation] = [:]

  package init() {}

  /// By operationId.
  package var lists: [String: ListPromise] {
    operations.filter { $0.value.order != nil || !$0.value.sorts.isEmpty }
      .mapValues { ListPromise(order: $0.order, sorts: $0.sorts) }
  }

  /// The settings for the operation with this id.
  package subscript(operation: String) -> Operation { operations[operation]?.over(all) ?? all }
}
