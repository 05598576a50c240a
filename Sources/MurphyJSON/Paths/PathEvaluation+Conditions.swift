extension PathEvaluation {
  /// Whether a filter's condition holds with `current` as `@`.
  func holds(_ condition: PathCondition, _ current: Located) -> Bool {
    switch condition {
    case .or(let parts): parts.contains { holds($0, current) }
    case .and(let parts): parts.allSatisfy { holds($0, current) }
    case .not(let part): !holds(part, current)
    case .exists(let query):
      query.isSingular ? single(query, current: current.node) != nil : !nodes(of: query, current: current).isEmpty
    case .comparison(let left, let comparison, let right):
      comparison.holds(value(left, current), value(right, current))
    case .test(let call): matches(call, current)
    }
  }

  /// The value of an operand; nil is what RFC 9535 calls Nothing.
  private func value(_ operand: PathOperand, _ current: Located) -> JSONValue? {
    switch operand {
    case .literal(let value): value
    case .query(let query): single(query, current: current.node).map { tree.value(of: $0) }
    case .call(let call): value(call, current)
    }
  }

  private func value(_ call: PathCall, _ current: Located) -> JSONValue? {
    switch call.function {
    case .length:
      switch value(call.arguments[0], current) {
      case .string(let text): JSONValue(text.unicodeScalars.count)
      case .array(let elements): JSONValue(elements.count)
      case .object(let object): JSONValue(object.count)
      default: nil
      }
    case .count: JSONValue(nodes(call.arguments[0], current).count)
    case .value: onlyValue(of: nodes(call.arguments[0], current))
    // The parser lets these stand as conditions only.
    case .match, .search: nil
    }
  }

  private func onlyValue(of nodes: [Located]) -> JSONValue? {
    guard nodes.count == 1 else { return nil }
    return tree.value(of: nodes[0].node)
  }

  private func nodes(_ operand: PathOperand, _ current: Located) -> [Located] {
    if case .query(let query) = operand { nodes(of: query, current: current) } else { [] }
  }

  private func matches(_ call: PathCall, _ current: Located) -> Bool {
    guard case .string(let text)? = value(call.arguments[0], current),
      case .string(let pattern)? = value(call.arguments[1], current)
    else { return false }
    return patterns.matches(text, pattern, whole: call.function == .match)
  }
}

extension PathComparison {
  /// §2.3.5.2.2. Nothing equals nothing, and only that; numbers and texts alone have an order.
  func holds(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: Self.isLess(left, right)
    case .greater: Self.isLess(right, left)
    case .lessOrEqual: left == right || Self.isLess(left, right)
    case .greaterOrEqual: left == right || Self.isLess(right, left)
    }
  }

  private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch (left, right) {
    case (.number(let a)?, .number(let b)?): a < b
    // UTF-8 sorts as the Unicode scalars do.
    case (.string(let a)?, .string(let b)?): a.utf8.lexicographicallyPrecedes(b.utf8)
    default: false
    }
  }
}
