extension Explanation {
  mutating func checkComposition(_ site: Site, _ value: JSONValue, _ outcome: inout SchemaFindings) {
    switch site.rule.assertion {
    case .any(let branches): checkAny(branches, site, value, &outcome)
    case .one(let branches): checkOne(branches, site, value, &outcome)
    case .not(let node):
      let inner = quietly { $0.apply(node, to: value) }
      switch inner.truth {
      case .valid:
        let excluded = program.nodes[Int(node)].location
        fail(
          &outcome, site,
          Miss(
            found: value.excerpt, expected: "a value that does not match \(excluded)",
            message: "found \(value.excerpt), which matches \(excluded); expected a value that does not match this "
              + "schema"))
      case .unchecked: outcome.require(inner)
      case .invalid: break
      }
    case .conditional(let condition, let then, let otherwise):
      let inner = quietly { $0.apply(condition, to: value) }
      switch inner.truth {
      case .valid:
        outcome.evaluated.merge(inner.evaluated)
        if let then { follow(then, value, &outcome) }
      case .invalid: if let otherwise { follow(otherwise, value, &outcome) }
      case .unchecked: outcome.require(inner)
      }
    case .dependentSchemas(let dependencies):
      guard case .object(let object) = value else { return }
      for (name, node) in dependencies where object[name] != nil { follow(node, value, &outcome) }
    default: break
    }
  }

  /// - Parameter stopsAtFirst: true if one matching branch is enough.
  private mutating func trial(_ branches: [NodeID], _ value: JSONValue, stopsAtFirst: Bool) -> Trial {
    var tried = Trial()
    for (index, branch) in branches.enumerated() {
      let inner = attempt(branch, value)
      tried.add(inner, Branch(index: index, violations: inner.violations, depth: path.count))
      if stopsAtFirst, inner.truth == .valid { break }
    }
    return tried
  }

  private mutating func checkAny(
    _ branches: [NodeID], _ site: Site, _ value: JSONValue, _ outcome: inout SchemaFindings
  ) {
    let tried = trial(branches, value, stopsAtFirst: !program.tracksEvaluated)
    if !tried.matched.isEmpty {
      outcome.evaluated.merge(tried.evaluated)
    } else if let reason = tried.reason {
      outcome.require(.unchecked(reason))
    } else {
      refuse(value, tried.failed, of: branches.count, site, &outcome)
    }
  }

  private mutating func checkOne(
    _ branches: [NodeID], _ site: Site, _ value: JSONValue, _ outcome: inout SchemaFindings
  ) {
    let tried = trial(branches, value, stopsAtFirst: false)
    if tried.matched.count > 1 {
      outcome.isBlurred = true
      let list = tried.matched.map { String($0 + 1) }.joined(separator: " and ")
      fail(
        &outcome, site,
        Miss(
          found: "\(value.excerpt), which matches schemas \(list) of \(branches.count) alternatives",
          expected: "a match of exactly one schema"))
    } else if let reason = tried.reason {
      outcome.require(.unchecked(reason))
    } else if tried.matched.isEmpty {
      refuse(value, tried.failed, of: branches.count, site, &outcome)
    } else {
      outcome.evaluated.merge(tried.evaluated)
    }
  }

  private mutating func refuse(
    _ value: JSONValue, _ failed: [Branch], of count: Int, _ site: Site, _ outcome: inout SchemaFindings
  ) {
    outcome.isBlurred = true
    let sorted = failed.sorted(by: Branch.isCloser)
    if isExplaining, let meant = Branch.meant(among: sorted) {
      outcome.truth = .invalid
      for violation in meant.violations
      where takesRoom(
        violation.schemaPointer, violation.keyword, violation.instancePointer.tokens, violation.expected)
      { outcome.violations.append(violation) }
      return
    }
    fail(&outcome, site, ViolationMessages.noBranch(value, sorted, of: count), details: sorted.flatMap(\.violations))
  }

  /// The results of the branches of one choice.
  private struct Trial {
    var failed: [Branch] = []
    var matched: [Int] = []
    var reason: String?
    var evaluated = Evaluated()

    mutating func add(_ outcome: SchemaFindings, _ branch: @autoclosure () -> Branch) {
      switch outcome.truth {
      case .valid:
        matched.append(branch().index)
        evaluated.merge(outcome.evaluated)
      case .unchecked: reason = reason ?? outcome.reason
      case .invalid: failed.append(branch())
      }
    }
  }

  /// Applies a branch. Its violations are details of one violation, or are discarded, so they do not reduce the room
  /// for others. Nested choices are explained only to a small depth.
  private mutating func attempt(_ branch: NodeID, _ value: JSONValue) -> SchemaFindings {
    let before = room
    choices += 1
    if !explainsBranches { room = 0 }
    defer {
      choices -= 1
      room = before
    }
    return apply(branch, to: value)
  }

  /// Applies schemas without collecting their violations.
  mutating func quietly(_ body: (inout Explanation) -> SchemaFindings) -> SchemaFindings {
    let before = room
    room = 0
    defer { room = before }
    return body(&self)
  }
}

/// A branch of `anyOf` or `oneOf` that failed.
struct Branch {
  let index: Int
  let violations: [SchemaViolation]
  /// The depth of the value that the branch was applied to.
  let depth: Int

  /// True if `left` is more likely the intended branch. First by the right type, then by the right tag (a `const` or
  /// `enum` on the value or one of its properties), then by the fewest mistakes, then by the deepest mistake.
  static func isCloser(_ left: Branch, _ right: Branch) -> Bool {
    (left.hasWrongType ? 1 : 0, left.hasWrongTag ? 1 : 0, left.violations.count, -left.deepest, left.index)
      < (right.hasWrongType ? 1 : 0, right.hasWrongTag ? 1 : 0, right.violations.count, -right.deepest, right.index)
  }

  /// The only branch of the value's type and tag, so that its violations alone explain the failure; nil if there is
  /// none.
  ///
  /// - Parameter sorted: closest first.
  static func meant(among sorted: [Branch]) -> Branch? {
    guard sorted.count > 1, let first = sorted.first, !first.violations.isEmpty, !first.isOther,
      sorted.dropFirst().allSatisfy(\.isOther)
    else { return nil }
    return first
  }

  private var isOther: Bool { hasWrongType || hasWrongTag }

  private var hasWrongType: Bool {
    violations.contains { $0.instancePointer.tokens.count == depth && ($0.keyword == "type" || $0.keyword == "false") }
  }

  private var hasWrongTag: Bool {
    violations.contains {
      $0.instancePointer.tokens.count <= depth + 1 && ($0.keyword == "const" || $0.keyword == "enum")
    }
  }

  private var deepest: Int { violations.map(\.instancePointer.tokens.count).max() ?? 0 }
}
