import MurphyContract
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

extension ScenarioReader {
  /// `off`, or the settings by operationId; `"*"` for all.
  func relations(_ node: MarkedValue?) -> RelationExpectation {
    var relations = RelationExpectation()
    guard let node else { return relations }
    if isOff(node) {
      relations.all.isOff = true
      return relations
    }
    for (name, keyNode, value) in mapping(node, "relations") {
      if name == "*" {
        relations.all = relation(value, of: nil)
      } else if let reference = self.operation(name, at: keyNode) {
        relations.operations[reference.id] = relation(value, of: operations?.first { $0.id == reference.id })
      }
    }
    return relations
  }

  private func relation(_ node: MarkedValue, of summary: OperationSummary?) -> RelationExpectation.Operation {
    var operation = RelationExpectation.Operation()
    if isOff(node) {
      operation.isOff = true
      return operation
    }
    guard node.isMapping else {
      report("the relations of an operation must be off or a mapping; found \(found(node))", at: node)
      return operation
    }
    guard let entries = entries(node, .relation) else { return operation }
    for rule in RelationRule.allCases {
      guard let value = entries[rule.rawValue] else { continue }
      if rule == .listItem, value.isMapping {
        operation.ignored = ignored(value, summary)
      } else if rule == .total, !isOff(value) {
        let wanted = known(value, among: ["on", "off", "all"], rule.rawValue)
        if wanted == "all" { operation.countsAll = true } else if wanted == "on" { operation.rules[.total] = true }
      } else if rule == .search, !isOff(value) {
        let wanted = known(value, among: ["on", "off", "narrows"], rule.rawValue)
        if wanted == "narrows" { operation.narrows = true } else if wanted == "on" { operation.rules[.search] = true }
      } else if let isOn = onOrOff(value, rule.rawValue) {
        operation.rules[rule] = isOn
      }
    }
    for (name, keyNode, value) in mapping(entries["filters"], "filters") {
      let known = summary?.parameters.filter { $0.location == .query }.map(\.name)
      if let known, !known.contains(name) {
        report(
          "the operation \(summary?.id ?? "") has no query parameter \(name)\(suggestion(name, known))", at: keyNode)
      }
      operation.filters[name] = onOrOff(value, name)
    }
    for (name, _, value) in mapping(entries["sort"], "sort") {
      if isOff(value) {
        operation.unsorted.insert(name)
      } else if value.scalarValue != true, value.scalarValue?.string != "on" {
        operation.sorts[name] = order(value, summary)
      }
    }
    operation.order = entries["sorted-by"].flatMap { order($0, summary) }
    operation.stale = duration(entries["stale"], "stale")
    operation.isExclusive = boolean(entries["exclusive"], "exclusive")
    operation.walks = entries["walk"].flatMap { onOrOff($0, "walk") }
    return operation
  }

  /// `created_at`, `-created_at` or `upvotes - downvotes`.
  private func order(_ node: MarkedValue, _ summary: OperationSummary?) -> ListOrder? {
    guard let text = text(node, "a field, or a sum of fields") else { return nil }
    guard let order = ListOrder(text) else {
      return refuse(
        "an order must be a field, such as created_at or -created_at, or a sum, such as upvotes - downvotes; found \"\(text)\"",
        at: node)
    }
    for term in order.terms { check(term.field, of: summary, at: node) }
    return order
  }

  /// Reports a name that is not a field of the list's items.
  private func check(_ field: String, of summary: OperationSummary?, at node: MarkedValue) {
    guard let summary else { return }
    guard let fields = summary.itemFields else {
      return report("the contract describes no list of items in the responses of \(summary.id)", at: node)
    }
    if !fields.contains(field) {
      let hint = suggestion(field, fields)
      let known = hint.isEmpty ? "; the fields are \(fields.joined(separator: ", "))" : hint
      report("the items of \(summary.id) have no field \(field)\(known)", at: node)
    }
  }

  private func ignored(_ node: MarkedValue, _ summary: OperationSummary?) -> Set<String> {
    let names = entries(node, .listItem).flatMap { elements($0["ignore"], "ignore") } ?? []
    return Set(
      names.compactMap { name -> String? in
        guard let field = text(name, "a field") else { return nil }
        check(field, of: summary, at: name)
        return field
      })
  }

  private func onOrOff(_ node: MarkedValue, _ what: String) -> Bool? {
    if isOff(node) { return false }
    if node.scalarValue == true { return true }
    return known(node, among: ["on", "off"], what).map { $0 == "on" }
  }
}
