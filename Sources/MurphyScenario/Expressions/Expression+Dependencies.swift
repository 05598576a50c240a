extension Expression {
  /// The expressions directly within this one.
  var parts: [Expression] {
    switch self {
    case .literal, .secret, .variable, .context, .path: []
    case .member(let base, _), .negative(let base), .not(let base): [base]
    case .element(let base, let index): [base, index]
    case .binary(_, let left, let right): [left, right]
    case .conditional(let condition, let yes, let no): [condition, yes, no]
    case .call(_, let arguments): arguments
    case .list(let elements): elements
    case .choice(let choices): choices.map(\.value)
    }
  }

  /// Whether evaluating it may take values of the random stream.
  package var draws: Bool {
    switch self {
    case .choice: return true
    case .call(let function, _) where function.draws: return true
    default: return parts.contains { $0.draws }
    }
  }

  /// Whether every evaluation gives the same value.
  package var isConstant: Bool {
    switch self {
    case .variable, .context, .path, .choice: return false
    case .call(let function, _) where function.draws || function.dependsOnRun: return false
    default: return parts.allSatisfy { $0.isConstant }
    }
  }

  /// Every variable that it reads, in the order of reading.
  package var variables: [Variable] {
    if case .variable(let variable) = self { return [variable] }
    return parts.flatMap(\.variables)
  }

  /// Whether its value depends on the session's last answer.
  package var readsAnswer: Bool {
    switch self {
    case .path, .context(.answer), .context(.status): true
    default: parts.contains { $0.readsAnswer }
    }
  }

  /// Whether a value of the environment goes into it.
  package var holdsSecret: Bool {
    if case .secret = self { return true }
    return parts.contains { $0.holdsSecret }
  }

  /// Whether a secret goes into it: a value of the environment, or a variable that holds one.
  func isSecret(in scope: Scope) -> Bool {
    switch self {
    case .secret: true
    case .variable(let variable): scope.secretSlots.contains(variable.slot)
    default: parts.contains { $0.isSecret(in: scope) }
    }
  }

  package func reads(_ name: ContextName) -> Bool {
    if case .context(name) = self { return true }
    return parts.contains { $0.reads(name) }
  }
}
