extension Explanation {
  private static let mostMissing = 3

  mutating func checkObject(_ site: Site, _ object: JSONObject, _ value: JSONValue, _ outcome: inout SchemaFindings) {
    steps -= object.count
    switch site.rule.assertion {
    case .minProperties(let bound):
      if object.count < bound {
        fail(&outcome, site, ViolationMessages.count(object.count, "property", "at least \(bound)"))
      }
    case .maxProperties(let bound):
      if object.count > bound {
        fail(&outcome, site, ViolationMessages.count(object.count, "property", "at most \(bound)"))
      }
    case .required(let names):
      let missing = names.filter { object[$0] == nil }
      guard !missing.isEmpty else { break }
      // A few are mistakes of their own; where nearly all are missing, it is another object.
      let each = missing.count <= Self.mostMissing ? missing.map { [$0] } : [missing]
      for names in each { fail(&outcome, site, ViolationMessages.missing(names, object)) }
    case .dependentRequired(let dependencies):
      for (name, names) in dependencies where object[name] != nil {
        let missing = names.filter { object[$0] == nil }
        if !missing.isEmpty { fail(&outcome, site, ViolationMessages.missing(missing, object, becauseOf: name)) }
      }
    case .properties(let members): checkMembers(members, site, object, &outcome)
    case .propertyNames(let node):
      for member in object.members {
        let inner = apply(node, to: .string(member.key), at: member.key)
        guard inner.truth != .valid else { continue }
        outcome.require(SchemaFindings(truth: inner.truth, reason: inner.reason))
        if inner.truth == .invalid {
          fail(
            &outcome, site, at: member.key, Miss("the name \(JSONValue.string(member.key).excerpt) is not allowed"),
            details: inner.violations)
        }
      }
    case .unevaluatedProperties(let node):
      if !outcome.isBlurred { checkUnevaluated(node, site, object, &outcome) }
    case .undocumentedProperties:
      if !outcome.isBlurred, outcome.evaluated.isDocumented { checkUndocumented(site, object, &outcome) }
    default: break
    }
  }

  private mutating func checkMembers(
    _ members: ObjectMembers, _ site: Site, _ object: JSONObject, _ outcome: inout SchemaFindings
  ) {
    if !members.properties.isEmpty { outcome.evaluated.isDocumented = true }
    for member in object.members {
      var isKnown = false
      if let property = members.property(member.key) {
        isKnown = true
        outcome.require(apply(property.node, to: member.value, at: member.key))
      }
      for pattern in members.patterns {
        switch match(pattern.pattern, member.key) {
        case .yes:
          isKnown = true
          outcome.require(apply(pattern.node, to: member.value, at: member.key))
        case .no: break
        case .limitExceeded:
          isKnown = true
          outcome.require(.unchecked(ViolationMessages.unboundedPattern(pattern.pattern, site.node.location)))
        }
      }
      if isKnown {
        if program.tracksEvaluated { outcome.evaluated.properties.insert(JSONKey(member.key)) }
      } else if let additional = members.additional {
        checkAdditional(additional, members, member, site, &outcome)
      }
      if outcome.truth == .invalid, !isExplaining { return }
    }
    if members.additional != nil { outcome.evaluated.allProperties = true }
  }

  private mutating func checkAdditional(
    _ node: NodeID, _ members: ObjectMembers, _ member: JSONObject.Member, _ site: Site, _ outcome: inout SchemaFindings
  ) {
    guard program.nodes[Int(node)].isNever else {
      outcome.require(apply(node, to: member.value, at: member.key))
      return
    }
    let rule = SchemaRule(keyword: "additionalProperties", assertion: .never)
    fail(
      &outcome, Site(node: site.node, rule: rule), at: member.key,
      ViolationMessages.additional(member.key, members.properties.map(\.name)))
  }

  private mutating func checkUnevaluated(
    _ node: NodeID, _ site: Site, _ object: JSONObject, _ outcome: inout SchemaFindings
  ) {
    for member in object.members where !outcome.evaluated.contains(property: member.key) {
      if program.nodes[Int(node)].isNever {
        fail(
          &outcome, site, at: member.key,
          Miss("the property \(ViolationMessages.quoted(member.key)) is not expected: no schema here mentions it"))
      } else {
        outcome.require(apply(node, to: member.value, at: member.key))
      }
      if outcome.truth == .invalid, !isExplaining { return }
    }
    outcome.evaluated.allProperties = true
  }

  private mutating func checkUndocumented(_ site: Site, _ object: JSONObject, _ outcome: inout SchemaFindings) {
    for member in object.members where !outcome.evaluated.contains(property: member.key) {
      fail(
        &outcome, site, at: member.key, Miss("the property \(ViolationMessages.quoted(member.key)) is not documented"))
      if !isExplaining { return }
    }
  }
}
