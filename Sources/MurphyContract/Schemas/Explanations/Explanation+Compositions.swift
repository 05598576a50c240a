import MurphyJSON

extension Explanation {
  mutating func checkComposition(_ site: Site, _ value: JSONValue, _ outcome: inout Outcome) {
    switch site.rule.assertion {
    case .any(let branches): checkAny(branches, site, value, &outcome)
    case .one(let branches): checkOne(branches, site, value, &outcome)
    case .not(let node):
      let inner = quietly { $0.apply(node, to: value) }
      switch inner.truth {
      case .valid:
        let excluded = program.nodes[Int(node)].location
        fail(&outcome, site, "found \(value.excerpt), which \(excluded) describes; expected anything else")
      case .unchecked: outcome.require(inner)
      case .invalid: break
      }
    case .conditional(let condition, let then, let otherwise):
      let inner = quietly { $0.apply(condition, to: value) }
      switch inner.truth {
      case .valid:
        outcome.evaluated.merge(inner.evaluated)
        if let then { take(then, value, &outcome) }
      case .invalid: if let otherwise { take(otherwise, value, &outcome) }
      case .unchecked: outcome.require(inner)
      }
    case .dependentSchemas(let dependencies):
      guard case .object(let object) = value else { return }
      for (name, node) in dependencies where object[name] != nil { take(node, value, &outcome) }
    default: break
    }
  }

  private mutating func take(_ node: NodeID, _ value: JSONValue, _ outcome: inout Outcome) {
    let inner = apply(node, to: value)
    outcome.require(inner)
    outcome.isBlurred = outcome.isBlurred || inner.isBlurred
    outcome.evaluated.merge(inner.evaluated)
  }

  private mutating func checkAny(
    _ branches: [NodeID], _ site: Site, _ value: JSONValue, _ outcome: inout Outcome
  ) {
    var failed: [Branch] = []
    var isValid = false
    var reason: String?
    for (index, branch) in branches.enumerated() {
      let inner = apply(branch, to: value)
      switch inner.truth {
      case .valid:
        isValid = true
        outcome.evaluated.merge(inner.evaluated)
        if !program.tracksEvaluated { return }
      case .unchecked: reason = reason ?? inner.reason
      case .invalid: failed.append(Branch(index: index, violations: inner.violations, depth: path.count))
      }
    }
    if isValid { return }
    if let reason {
      outcome.require(.unchecked(reason))
      return
    }
    outcome.isBlurred = true
    room += failed.reduce(0) { $0 + $1.violations.count }
    let sorted = failed.sorted(by: Branch.isCloser)
    fail(&outcome, site, Prose.noBranch(sorted, of: branches.count), details: sorted.flatMap(\.violations))
  }

  private mutating func checkOne(
    _ branches: [NodeID], _ site: Site, _ value: JSONValue, _ outcome: inout Outcome
  ) {
    var failed: [Branch] = []
    var matched: [Int] = []
    var reason: String?
    var evaluated = Evaluated()
    for (index, branch) in branches.enumerated() {
      let inner = apply(branch, to: value)
      switch inner.truth {
      case .valid:
        matched.append(index)
        evaluated.merge(inner.evaluated)
      case .unchecked: reason = reason ?? inner.reason
      case .invalid: failed.append(Branch(index: index, violations: inner.violations, depth: path.count))
      }
    }
    room += failed.reduce(0) { $0 + $1.violations.count }
    if matched.count > 1 {
      outcome.isBlurred = true
      let list = matched.map(String.init).joined(separator: " and ")
      fail(
        &outcome, site,
        "found \(value.excerpt), which matches the schemas \(list); expected exactly one of \(branches.count)")
    } else if let reason {
      outcome.require(.unchecked(reason))
    } else if matched.isEmpty {
      outcome.isBlurred = true
      let sorted = failed.sorted(by: Branch.isCloser)
      fail(&outcome, site, Prose.noBranch(sorted, of: branches.count), details: sorted.flatMap(\.violations))
    } else {
      outcome.evaluated.merge(evaluated)
    }
  }

  /// Applies schemas whose violations nobody wants to read.
  mutating func quietly(_ body: (inout Explanation) -> Outcome) -> Outcome {
    let before = room
    room = 0
    defer { room = before }
    return body(&self)
  }
}
