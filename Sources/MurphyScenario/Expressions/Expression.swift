import MurphyJSON

/// What stands between `${` and `}`, read once: a tree of at most `deepest` levels, without loops.
package indirect enum Expression: Sendable, Hashable {
  case literal(JSONValue)
  /// A constant into which a value of the environment went.
  case secret(JSONValue)
  case variable(Variable)
  case context(ContextName)
  /// `$.data[*].id`: a query into the last answer's body. A singular one gives the value itself, any other a list.
  case path(JSONPath)
  /// `row.title`
  case member(Expression, name: String)
  /// `ids[0]`; a negative index counts from the end.
  case element(Expression, index: Expression)
  case negative(Expression)
  case not(Expression)
  case binary(BinaryOperator, Expression, Expression)
  /// `condition ? a : b`; only one of the two is evaluated.
  case conditional(Expression, Expression, Expression)
  case call(Function, [Expression])
  /// `[1, 2, 3]`
  case list([Expression])
  /// `choose(a: 3, b: 1)`
  case choice([Choice])

  package static let deepest = 64

  package struct Choice: Sendable, Hashable {
    package var value: Expression
    package var weight: Double

    package init(value: Expression, weight: Double) {
      self.value = value
      self.weight = weight
    }
  }
}

/// Names that every session has without saving anything.
package enum ContextName: String, Sendable, Hashable, CaseIterable {
  case index, typed, status, answer, user, arrival, iteration, session

  /// For the language's schema and for messages.
  package var summary: String {
    switch self {
    case .index: "the turn of the innermost repeat or burst, from 0"
    case .typed: "the text typed so far, in a type step"
    case .status: "the status of the session's last answer, 0 when none came"
    case .answer: "the session's last answer: answer.status, answer.headers.etag, answer.body"
    case .user: "the number of the virtual user, from 0"
    case .arrival: "the number of the session in the run, from 0"
    case .iteration: "the number of the session among its user's, from 0"
    case .session: "the session's name"
    }
  }
}

/// Operators, loosest first.
package enum BinaryOperator: String, Sendable, Hashable, CaseIterable {
  case or = "||"
  case and = "&&"
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"

  /// Higher binds tighter; all associate to the left.
  package var precedence: Int {
    switch self {
    case .or: 1
    case .and: 2
    case .equal, .notEqual: 3
    case .less, .lessOrEqual, .greater, .greaterOrEqual: 4
    case .add, .subtract: 5
    case .multiply, .divide, .remainder: 6
    }
  }
}

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
