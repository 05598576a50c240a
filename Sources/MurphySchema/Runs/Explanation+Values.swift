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
      // A few missing properties are separate mistakes. If almost all are missing, the value is a different object.
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
            &outcome, site, at: member.key,
            Miss("the property name \(JSONValue.string(member.key).excerpt) is not allowed"),
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
          Miss(
            """
            the property \(ViolationMessages.quoted(member.key)) is not allowed: no schema of this object describes it
            """))
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

  mutating func checkScalar(_ site: Site, _ value: JSONValue, _ outcome: inout SchemaFindings) {
    switch site.rule.assertion {
    case .never: fail(&outcome, site, ViolationMessages.never(site.rule.keyword, value))
    case .types(let types):
      if !types.allows(value) { fail(&outcome, site, ViolationMessages.type(value, types)) }
    case .enumeration(let listed):
      // For a value of the wrong type, the mismatch with the listed values adds no information.
      guard !listed.contains(value), outcome.truth != .invalid || !hasWrongType(site.node, outcome.violations) else {
        return
      }
      fail(&outcome, site, ViolationMessages.enumeration(value, listed.values))
    case .minimum, .maximum, .multiple:
      if case .number(let number) = value { checkNumber(site, number, &outcome) }
    case .format(let format):
      let isAccepted =
        switch value {
        case .number(let number) where format.appliesToNumbers: format.accepts(number)
        case .string(let text) where !format.appliesToNumbers: format.accepts(text)
        default: true
        }
      if !isAccepted { fail(&outcome, site, Miss(found: value.excerpt, expected: format.title)) }
    default:
      if case .string(let text) = value { checkString(site, text, &outcome) }
    }
  }

  private mutating func checkNumber(_ site: Site, _ number: JSONNumber, _ outcome: inout SchemaFindings) {
    switch site.rule.assertion {
    case .minimum(let bound, let exclusive):
      if number < bound || (exclusive && number == bound) {
        fail(
          &outcome, site, Miss(found: number.excerpt, expected: "\(exclusive ? "more than" : "at least") \(bound)"))
      }
    case .maximum(let bound, let exclusive):
      if number > bound || (exclusive && number == bound) {
        fail(
          &outcome, site, Miss(found: number.excerpt, expected: "\(exclusive ? "less than" : "at most") \(bound)"))
      }
    case .multiple(let divisor):
      if !number.isMultiple(of: divisor) {
        fail(&outcome, site, Miss(found: number.excerpt, expected: "a multiple of \(divisor)"))
      }
    default: break
    }
  }

  private mutating func checkString(_ site: Site, _ text: String, _ outcome: inout SchemaFindings) {
    switch site.rule.assertion {
    case .minLength(let bound):
      let length = text.unicodeScalars.count
      if length < bound {
        fail(&outcome, site, ViolationMessages.count(length, "character", "at least \(bound)", JSONValue.string(text)))
      }
    case .maxLength(let bound):
      let length = text.unicodeScalars.count
      if length > bound {
        fail(&outcome, site, ViolationMessages.count(length, "character", "at most \(bound)", JSONValue.string(text)))
      }
    case .pattern(let pattern):
      switch match(pattern, text) {
      case .yes: break
      case .no:
        fail(
          &outcome, site,
          Miss(found: JSONValue.string(text).excerpt, expected: "a match of the pattern \(pattern.source)"))
      case .limitExceeded: outcome.require(.unchecked(ViolationMessages.unboundedPattern(pattern, site.node.location)))
      }
    case .content(let content): checkContent(content, site, text, &outcome)
    default: break
    }
  }

  func match(_ pattern: ECMAPattern, _ text: String) -> RegexMatch {
    var text = text
    return text.withUTF8 { pattern.matches(UnsafeRawBufferPointer($0), scratch) }
  }

  private mutating func checkContent(
    _ content: EncodedContent, _ site: Site, _ text: String, _ outcome: inout SchemaFindings
  ) {
    var bytes = Array(text.utf8)
    switch content.encoding?.lowercased() {
    case nil, "7bit", "8bit", "binary": break
    case "base64":
      guard let decoded = bytes.withUnsafeBytes(Base64.decode) else {
        fail(&outcome, site, Miss(found: JSONValue.string(text).excerpt, expected: "base64"))
        return
      }
      bytes = decoded
    case let encoding?:
      outcome.require(.unchecked("murphy does not decode the encoding \(encoding) at \(site.node.location)"))
      return
    }
    guard let mediaType = content.mediaType?.lowercased(),
      mediaType.hasPrefix("application/json") || mediaType.hasSuffix("+json")
    else { return }
    do throws(JSONError) {
      _ = try JSONValue.parse(bytes)
    } catch {
      fail(
        &outcome, site,
        Miss(
          found: JSONValue.string(text).excerpt, expected: "JSON",
          message: "found \(JSONValue.string(text).excerpt); expected JSON: \(error)"))
    }
  }

  private func hasWrongType(_ node: SchemaNode, _ violations: [SchemaViolation]) -> Bool {
    violations.contains { $0.keyword == "type" && $0.schemaPointer == node.location.appending("type") }
  }
}
