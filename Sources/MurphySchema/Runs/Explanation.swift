/// Applies schemas to a value held as a tree. It is exact in all cases and can explain failures.
///
/// The recursion has a maximum depth and the work a budget. If either is exceeded, the result is unchecked, never a
/// guess.
struct Explanation {
  let program: SchemaProgram
  let explains: Bool
  let scratch = RegexScratch()
  var path: [String] = []
  private var scope: [Int32] = []
  private var depth = 0
  /// The remaining budget: schemas entered and names visited.
  var steps: Int
  var room: Int
  /// Violations that were created, including those of branches.
  private var written = 0
  /// The number of occurrences of each mistake. Only the first one uses room, so that a long list of items with the
  /// same mistakes leaves room for others.
  private var listed: [Mistake: Int] = [:]

  /// The common part of mistakes in the items of a list, or in lists of one kind.
  private struct Mistake: Hashable {
    var schema: SchemaLocation
    var keyword: String
    /// With one token for every index.
    var path: [String]
    var expected: String?
  }

  /// The nesting depth of choices (`anyOf`, `oneOf`).
  var choices = 0
  static let explainedChoices = 6

  /// The maximum number of mistakes listed for one value, and of places for each.
  static let maximumViolations = 100
  private static let mostOfOne = 30
  /// The maximum number of violations created for one value and its branches, of which few are shown.
  private static let mostWritten = 10_000
  /// The maximum work for one value of any size: it takes seconds.
  static let mostSteps = 10_000_000
  /// The maximum nesting of schemas. The parser bounds a value's depth, references multiply it.
  static let maximumDepth = 1000

  /// - Parameter room: the maximum number of listed violations; the search stops after the last.
  init(program: SchemaProgram, explains: Bool, value: JSONValue, room: Int = Self.maximumViolations) {
    self.program = program
    self.explains = explains
    self.room = room
    scratch.slowTime = RegexScratch.slowTimeOfDocument
    // Enough for hundreds of schemas on each value; stops references that multiply exponentially.
    steps = min(200_000 + 200 * value.size, Self.mostSteps)
  }

  /// True while violations are needed: after the last listed one, the first failure is enough.
  var isExplaining: Bool { explains && room > 0 }

  /// True while violations of a branch are created.
  var explainsBranches: Bool { choices <= Self.explainedChoices && written < Self.mostWritten }

  mutating func apply(_ id: NodeID, to value: JSONValue) -> SchemaFindings {
    let node = program.nodes[Int(id)]
    if node.rules.isEmpty { return SchemaFindings() }
    guard depth < Self.maximumDepth else {
      return .unchecked("schemas are nested deeper than \(Self.maximumDepth) levels at \(node.location)")
    }
    guard steps > 0 else {
      return .unchecked("the check took too many steps: the schema at \(node.location) repeats itself too often")
    }
    steps -= 1
    depth += 1
    let entersResource = !program.dynamicTables.isEmpty && scope.last != node.resource
    if entersResource { scope.append(node.resource) }
    defer {
      depth -= 1
      if entersResource { scope.removeLast() }
    }
    var outcome = SchemaFindings()
    for rule in node.rules {
      check(rule, of: node, value, &outcome)
      if outcome.truth == .invalid, !isExplaining { break }
    }
    return outcome
  }

  /// Applies a schema to a member or item of the current value.
  mutating func apply(_ id: NodeID, to value: JSONValue, at token: @autoclosure () -> String) -> SchemaFindings {
    if program.nodes[Int(id)].rules.isEmpty { return SchemaFindings() }
    guard explains else { return apply(id, to: value) }
    path.append(token())
    defer { path.removeLast() }
    return apply(id, to: value)
  }

  private mutating func check(
    _ rule: SchemaRule, of node: SchemaNode, _ value: JSONValue, _ outcome: inout SchemaFindings
  ) {
    let site = Site(node: node, rule: rule)
    switch rule.assertion {
    case .reference(let target): follow(target, value, &outcome)
    case .dynamicReference(let table, let initial): follow(dynamicTarget(table, initial), value, &outcome)
    case .all(let targets): for target in targets { follow(target, value, &outcome) }
    case .any, .one, .not, .conditional, .dependentSchemas: checkComposition(site, value, &outcome)
    case .properties, .propertyNames, .required, .dependentRequired, .minProperties, .maxProperties,
      .unevaluatedProperties, .undocumentedProperties:
      if case .object(let object) = value { checkObject(site, object, value, &outcome) }
    case .items, .contains, .minItems, .maxItems, .uniqueItems, .unevaluatedItems:
      if case .array(let values) = value { checkArray(site, values, value, &outcome) }
    case .unchecked(let reason): outcome.require(.unchecked(reason))
    default: checkScalar(site, value, &outcome)
    }
  }

  /// Applies a schema to the same value and copies its evaluated properties and items.
  mutating func follow(_ target: NodeID, _ value: JSONValue, _ outcome: inout SchemaFindings) {
    let inner = apply(target, to: value)
    outcome.require(inner)
    outcome.isBlurred = outcome.isBlurred || inner.isBlurred
    outcome.evaluated.merge(inner.evaluated)
  }

  /// The target is in the outermost resource of the dynamic scope that has the anchor (2020-12 core §8.2.3.2).
  private func dynamicTarget(_ table: Int, _ initial: NodeID) -> NodeID {
    let nodes = program.dynamicTables[table].nodes
    for resource in scope { if let node = nodes[resource] { return node } }
    return initial
  }

  /// The location of a rule, for its violations.
  struct Site {
    let node: SchemaNode
    let rule: SchemaRule
  }

  /// Nil for a mistake that was listed often enough.
  private mutating func violation(_ site: Site, _ miss: Miss, _ details: [SchemaViolation]) -> SchemaViolation? {
    guard takesRoom(site.node.location, site.rule.keyword, path, miss.expected) else { return nil }
    written += 1
    let keyword = site.rule.keyword
    // For the schema `false` and for properties that must not be sent, the location is the schema itself.
    let place =
      site.node.isNever || keyword == NodeBuilder.undocumented
      ? site.node.location : site.node.location.appending(keyword)
    return SchemaViolation(
      instancePointer: JSONPointer(tokens: path), schemaPointer: place, keyword: keyword, message: miss.message,
      found: miss.found, expected: miss.expected, details: details)
  }

  /// True if one more violation is listed, which may use room.
  mutating func takesRoom(
    _ schema: SchemaLocation, _ keyword: String, _ path: [String], _ expected: String?
  ) -> Bool {
    guard room > 0 else { return false }
    // Violations inside a branch are details of one violation.
    guard choices == 0 else {
      room -= 1
      return true
    }
    let mistake = Mistake(
      schema: schema, keyword: keyword, path: path.map { Int($0) == nil ? $0 : "*" }, expected: expected)
    let count = listed[mistake, default: 0]
    guard count < Self.mostOfOne else { return false }
    listed[mistake] = count + 1
    if count == 0 { room -= 1 }
    return true
  }

  /// - Parameter token: the member or item of the current value; nil for that value itself.
  mutating func fail(
    _ outcome: inout SchemaFindings, _ site: Site, at token: String? = nil, _ miss: @autoclosure () -> Miss,
    details: [SchemaViolation] = []
  ) {
    outcome.truth = .invalid
    guard isExplaining else { return }
    let place = path
    if let token { path.append(token) }
    if let violation = violation(site, miss(), details) { outcome.violations.append(violation) }
    path = place
  }

  mutating func checkArray(_ site: Site, _ values: [JSONValue], _ value: JSONValue, _ outcome: inout SchemaFindings) {
    switch site.rule.assertion {
    case .minItems(let bound):
      if values.count < bound {
        fail(&outcome, site, ViolationMessages.count(values.count, "item", "at least \(bound)"))
      }
    case .maxItems(let bound):
      if values.count > bound {
        fail(&outcome, site, ViolationMessages.count(values.count, "item", "at most \(bound)"))
      }
    case .uniqueItems:
      if let (first, second) = duplicates(values) {
        fail(
          &outcome, site,
          Miss(
            found: "equal items at indices \(first) and \(second) (\(values[second].excerpt))",
            expected: "unique items",
            message: "the items at index \(first) and \(second) are equal (\(values[second].excerpt)); "
              + "expected unique items"))
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
        &outcome, Site(node: site.node, rule: keyword),
        ViolationMessages.count(values.count, "item", "at most \(prefix.count)"))
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
      fail(&outcome, site, ViolationMessages.contains(found, contained))
    } else if found < contained.minimum || found + open > maximum {
      outcome.require(.unchecked(reason ?? ""))
    }
  }

  private mutating func checkUnevaluated(
    _ node: NodeID, _ site: Site, _ values: [JSONValue], _ outcome: inout SchemaFindings
  ) {
    for (index, value) in values.enumerated() where !outcome.evaluated.contains(item: index) {
      if program.nodes[Int(node)].isNever {
        fail(
          &outcome, site, at: String(index),
          Miss(
            found: value.excerpt, expected: "no item at this position",
            message: "the item is not allowed: no schema of this array describes it; found \(value.excerpt)"))
      } else {
        outcome.require(apply(node, to: value, at: String(index)))
      }
      if outcome.truth == .invalid, !isExplaining { return }
    }
    outcome.evaluated.allItems = true
  }
}
