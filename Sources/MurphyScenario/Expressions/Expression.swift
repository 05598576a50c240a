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
