import MurphyContract
import MurphyModel

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
      report("the relations of an operation are off or a mapping; found \(found(node))", at: node)
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
        report("\(summary?.id ?? "") has no query parameter \(name)\(suggestion(name, known))", at: keyNode)
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
        "an order is a field, such as created_at or -created_at, or a sum, such as upvotes - downvotes; found \"\(text)\"",
        at: node)
    }
    for term in order.terms { check(term.field, of: summary, at: node) }
    return order
  }

  /// Reports a name that is not a field of the list's items.
  private func check(_ field: String, of summary: OperationSummary?, at node: MarkedValue) {
    guard let summary else { return }
    guard let fields = summary.itemFields else {
      return report("\(summary.id) does not respond with a list of items that the contract describes", at: node)
    }
    if !fields.contains(field) {
      let hint = suggestion(field, fields)
      let known = hint.isEmpty ? "; they have \(fields.joined(separator: ", "))" : hint
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
