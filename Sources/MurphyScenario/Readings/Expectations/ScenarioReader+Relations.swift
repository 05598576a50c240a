import MurphyDocument
import MurphyModel

extension ScenarioReader {
  /// `off`, or what holds by operationId; `"*"` for all.
  func relations(_ node: MarkedValue?) -> RelationExpectation {
    var relations = RelationExpectation()
    guard let node else { return relations }
    if isOff(node) {
      relations.all.isOff = true
      return relations
    }
    for (name, keyNode, value) in mapping(node, "relations") {
      let operation = relation(value)
      if name == "*" {
        relations.all = operation
      } else if let reference = self.operation(name, at: keyNode) {
        relations.operations[reference.id] = operation
      }
    }
    return relations
  }

  private func relation(_ node: MarkedValue) -> RelationExpectation.Operation {
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
        operation.ignored = ignored(value)
      } else if rule == .total, !isOff(value) {
        let wanted = known(value, among: ["on", "off", "all"], rule.rawValue)
        if wanted == "all" { operation.countsAll = true } else if wanted == "on" { operation.rules[.total] = true }
      } else if let isOn = onOrOff(value, rule.rawValue) {
        operation.rules[rule] = isOn
      }
    }
    if let filters = entries["filters"] {
      for (name, _, value) in mapping(filters, "filters") { operation.filters[name] = onOrOff(value, name) }
    }
    if let sort = entries["sort"] {
      for (name, _, value) in mapping(sort, "sort") where onOrOff(value, name) == false {
        operation.unsorted.insert(name)
      }
    }
    operation.order = entries["sorted-by"].flatMap { text($0, "a field") }
    operation.stale = duration(entries["stale"], "stale")
    operation.isExclusive = boolean(entries["exclusive"], "exclusive")
    operation.walks = entries["walk"].flatMap { onOrOff($0, "walk") }
    return operation
  }

  private func ignored(_ node: MarkedValue) -> Set<String> {
    guard let entries = entries(node, .listItem), let ignore = entries["ignore"], let names = elements(ignore, "ignore")
    else { return [] }
    return Set(names.compactMap { text($0, "a field") })
  }

  private func onOrOff(_ node: MarkedValue, _ what: String) -> Bool? {
    if isOff(node) { return false }
    if node.scalarValue == true { return true }
    return known(node, among: ["on", "off"], what).map { $0 == "on" }
  }
}
