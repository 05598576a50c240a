import MurphyJSON

extension Explanation {
  mutating func checkArray(_ site: Site, _ values: [JSONValue], _ value: JSONValue, _ outcome: inout SchemaFindings) {
    switch site.rule.assertion {
    case .minItems(let bound):
      if values.count < bound { fail(&outcome, site, Prose.count(values.count, "item", atLeast: bound)) }
    case .maxItems(let bound):
      if values.count > bound { fail(&outcome, site, Prose.count(values.count, "item", atMost: bound)) }
    case .uniqueItems:
      if let (first, second) = duplicates(values) {
        fail(
          &outcome, site,
          Miss(
            found: "the items \(first) and \(second) equal (\(values[second].excerpt))", expected: "unique items",
            message: "the items \(first) and \(second) are equal (\(values[second].excerpt)); expected unique items"))
      }
    case .items(let prefix, let rest): checkItems(prefix, rest, site, values, &outcome)
    case .contains(let contained): checkContains(contained, site, values, &outcome)
    case .unevaluatedItems(let node):
      if !outcome.isBlurred { checkUnevaluated(node, site, values, &outcome) }
    default: break
    }
  }

  private func duplicates(_ values: [JSONValue]) -> (Int, Int)? {
    var seen: [JSONValue: Int] = [:]
    for (index, value) in values.enumerated() {
      if let first = seen.updateValue(index, forKey: value) { return (first, index) }
    }
    return nil
  }

  private mutating func checkItems(
    _ prefix: [NodeID], _ rest: NodeID?, _ site: Site, _ values: [JSONValue], _ outcome: inout SchemaFindings
  ) {
    if let rest, program.nodes[Int(rest)].isNever, values.count > prefix.count {
      let keyword = SchemaRule(keyword: program.nodes[Int(rest)].location.pointer.tokens.last ?? "", assertion: .never)
      fail(
        &outcome, Site(node: site.node, rule: keyword), Prose.count(values.count, "item", atMost: prefix.count))
      if !isExplaining { return }
    }
    for (index, value) in values.enumerated() {
      if index < prefix.count {
        outcome.require(apply(prefix[index], to: value, at: String(index)))
      } else if let rest, !program.nodes[Int(rest)].isNever {
        outcome.require(apply(rest, to: value, at: String(index)))
      } else {
        break
      }
      if outcome.truth == .invalid, !isExplaining { return }
    }
    if rest != nil { outcome.evaluated.allItems = true }
    outcome.evaluated.prefix = max(outcome.evaluated.prefix, min(prefix.count, values.count))
  }

  private mutating func checkContains(
    _ contained: ContainedItems, _ site: Site, _ values: [JSONValue], _ outcome: inout SchemaFindings
  ) {
    var found = 0
    var open = 0
    var reason: String?
    for (index, value) in values.enumerated() {
      let inner = quietly { $0.apply(contained.node, to: value) }
      switch inner.truth {
      case .valid:
        found += 1
        if contained.evaluates { outcome.evaluated.items.insert(index) }
      case .unchecked:
        open += 1
        reason = inner.reason
      case .invalid: break
      }
    }
    let maximum = contained.maximum ?? Int.max
    if found + open < contained.minimum || found > maximum {
      fail(&outcome, site, Prose.contains(found, contained))
    } else if found < contained.minimum || found + open > maximum {
      outcome.require(.unchecked(reason ?? ""))
    }
  }

  private mutating func checkUnevaluated(
    _ node: NodeID, _ site: Site, _ values: [JSONValue], _ outcome: inout SchemaFindings
  ) {
    for (index, value) in values.enumerated() where !outcome.evaluated.contains(item: index) {
      if program.nodes[Int(node)].isNever {
        path.append(String(index))
        fail(
          &outcome, site,
          Miss(
            found: value.excerpt, expected: "no such item",
            message: "the item is not expected: no schema allows for it; found \(value.excerpt)"))
        path.removeLast()
      } else {
        outcome.require(apply(node, to: value, at: String(index)))
      }
      if outcome.truth == .invalid, !isExplaining { return }
    }
    outcome.evaluated.allItems = true
  }
}
