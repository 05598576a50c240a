import MurphyModel

/// `expect: relations:` what is promised, tuned or switched off of the relations that a contract shows.
///
/// docs/relations.md says what each word does.
package struct RelationExpectation: Sendable, Hashable {
  /// What holds for one operation, or for all of them.
  package struct Operation: Sendable, Hashable {
    /// Whether a relation is promised (true) or not looked for (false).
    package var rules: [RelationRule: Bool] = [:]
    /// By parameter: the same for single filters.
    package var filters: [String: Bool] = [:]
    /// Values of the sort parameter that sort by something else than the field of that name.
    package var unsorted: Set<String> = []
    /// What a list is sorted by where a request does not say.
    package var order: ListOrder?
    /// What values of the sort parameter sort by, that are no fields.
    package var sorts: [String: ListOrder] = [:]
    /// How far behind the truth an answer may be.
    package var stale: Duration?
    /// Whether nobody but this run writes.
    package var isExclusive: Bool?
    /// The total is of all items, whatever the filters say.
    package var countsAll: Bool?
    /// A search finds no more when letters are added to its text.
    package var narrows: Bool?
    /// Whether murphy reads the collection page by page after the load.
    package var walks: Bool?
    /// Fields that a list may show otherwise than the item itself.
    package var ignored: Set<String> = []
    /// Within which time what was accepted with 202 has taken effect; nil where nobody knows.
    package var settles: Duration?
    /// Nothing is looked for.
    package var isOff = false

    package init() {}

    /// The same with what is not said here taken from `base`.
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
  package var operations: [String: Operation] = [:]

  package init() {}

  /// By operationId.
  package var lists: [String: ListPromise] {
    operations.filter { $0.value.order != nil || !$0.value.sorts.isEmpty }
      .mapValues { ListPromise(order: $0.order, sorts: $0.sorts) }
  }

  /// What holds for the operation with this id.
  package subscript(operation: String) -> Operation { operations[operation]?.over(all) ?? all }
}
