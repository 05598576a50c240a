import MurphyModel
import MurphySchema

/// The code between `${` and `}`, parsed once: a tree of at most `deepest` levels, without loops.
package indirect enum Expression: Sendable, Hashable {
  case literal(JSONValue)
  /// A constant that contains a value of the environment.
  case secret(JSONValue)
  case variable(Variable)
  case context(ContextName)
  /// `$.data[*].id`: a query into the last response's body. A singular query returns the value itself, any other a
  /// list.
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

  /// The maximum number of levels.
  package static let deepest = 64

  /// One alternative of a weighted choice.
  package struct Choice: Sendable, Hashable {
    package var value: Expression
    /// Relative to the sum of all weights.
    package var weight: Double
  }
}

/// Names that exist in every session without a `save`.
package enum ContextName: String, Sendable, Hashable, CaseIterable {
  case index, typed, status, answer, user, arrival, iteration, session

  /// For the language's schema and for messages.
  package var summary: String {
    switch self {
    case .index: "the number of the current repetition in the innermost repeat, while, poll or burst step, from 0"
    case .typed: "the characters typed so far, in a type step"
    case .status: "the HTTP status of the session's last response, or 0 if no response was received"
    case .answer: "the session's last response, with parts such as answer.status, answer.headers.etag and answer.body"
    case .user: "the number of the virtual user, from 0"
    case .arrival: "the number of the session in the run, from 0"
    case .iteration: "the number of the session among all sessions of the same user, from 0"
    case .session: "the name of the session in the scenario"
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

  /// True if evaluating it may take values of the random stream.
  package var draws: Bool {
    switch self {
    case .choice: return true
    case .call(let function, _) where function.draws: return true
    default: return parts.contains { $0.draws }
    }
  }

  /// True if every evaluation returns the same value.
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

  /// True if its value depends on the session's last response.
  package var readsAnswer: Bool {
    switch self {
    case .path, .context(.answer), .context(.status): true
    default: parts.contains { $0.readsAnswer }
    }
  }

  /// True if it contains a value of the environment.
  package var holdsSecret: Bool {
    if case .secret = self { return true }
    return parts.contains { $0.holdsSecret }
  }

  /// True if it contains a secret: a value of the environment, or a variable that holds one.
  func isSecret(in scope: Scope) -> Bool {
    switch self {
    case .secret: true
    case .variable(let variable): scope.secretSlots.contains(variable.slot)
    default: parts.contains { $0.isSecret(in: scope) }
    }
  }

  /// True if any part of the expression reads this name.
  package func reads(_ name: ContextName) -> Bool {
    if case .context(name) = self { return true }
    return parts.contains { $0.reads(name) }
  }

  /// The maximum length of a string, in bytes.
  package static let longestText = 1 << 20
  /// The maximum number of elements of a list that a function creates.
  package static let longestList = 100_000

  static var tooLong: EvaluationError { .tooLarge("a string became longer than 1 MiB") }

  /// A pure function. Cost: the size of the tree and of the values. The parser bounds the depth.
  func value(in scope: inout Scope, random: inout RandomSource) throws(EvaluationError) -> JSONValue {
    switch self {
    case .literal(let value), .secret(let value): return value
    case .variable(let variable):
      guard let value = scope[variable] else { throw .unset(variable.name) }
      return value
    case .context(let name): return try name.value(in: scope)
    case .path(let path):
      guard let answer = scope.answer else { throw .noAnswer(path.text) }
      return try answer.found(path)
    case .member(.context(.answer), let name): return try LastAnswer.read(scope.answer, name)
    case .member(.member(.context(.answer), "headers"), let name):
      return try LastAnswer.read(scope.answer, header: name)
    case .element(.member(.context(.answer), "headers"), .literal(.string(let name))):
      return try LastAnswer.read(scope.answer, header: name)
    case .member(let base, let name):
      return try base.value(in: &scope, random: &random).member(name)
    case .element(let base, let index):
      let list = try base.value(in: &scope, random: &random)
      return try list.element(try index.value(in: &scope, random: &random))
    case .negative(let operand):
      return try Arithmetic.subtract(0, try operand.value(in: &scope, random: &random))
    case .not(let operand):
      return .bool(try !operand.truth(in: &scope, random: &random))
    case .binary(.and, let left, let right):
      guard try left.truth(in: &scope, random: &random) else { return .bool(false) }
      return .bool(try right.truth(in: &scope, random: &random))
    case .binary(.or, let left, let right):
      if try left.truth(in: &scope, random: &random) { return .bool(true) }
      return .bool(try right.truth(in: &scope, random: &random))
    case .binary(let binary, let left, let right):
      let leftValue = try left.value(in: &scope, random: &random)
      return try binary.apply(leftValue, try right.value(in: &scope, random: &random))
    case .conditional(let condition, let yes, let no):
      let chosen = try condition.truth(in: &scope, random: &random) ? yes : no
      return try chosen.value(in: &scope, random: &random)
    case .call(.coalesce, let arguments):
      return try Self.coalesced(arguments, in: &scope, random: &random)
    case .call(let function, let arguments):
      var values: [JSONValue] = []
      values.reserveCapacity(arguments.count)
      for argument in arguments { values.append(try argument.value(in: &scope, random: &random)) }
      return try function.apply(values, scope: &scope, random: &random)
    case .list(let elements):
      var values: [JSONValue] = []
      for element in elements { values.append(try element.value(in: &scope, random: &random)) }
      return try Self.bounded(.array(values))
    case .choice(let choices):
      let index = weightedIndex(of: choices.map(\.weight), at: random.unit())
      return try choices[index].value.value(in: &scope, random: &random)
    }
  }

  private func truth(in scope: inout Scope, random: inout RandomSource) throws(EvaluationError) -> Bool {
    let value = try value(in: &scope, random: &random)
    guard case .bool(let truth) = value else {
      throw .wrongType("&&, ||, ! and conditions need true or false; found \(value.brief)")
    }
    return truth
  }

  /// `default(value, otherwise)`: the first value that is set and not null.
  private static func coalesced(
    _ arguments: [Expression], in scope: inout Scope, random: inout RandomSource
  ) throws(EvaluationError) -> JSONValue {
    do throws(EvaluationError) {
      let value = try arguments[0].value(in: &scope, random: &random)
      if value != .null { return value }
    } catch {
      switch error {
      case .unset, .noAnswer, .nothing: break
      default: throw error
      }
    }
    return try arguments[1].value(in: &scope, random: &random)
  }
}

extension ContextName {
  func value(in scope: Scope) throws(EvaluationError) -> JSONValue {
    switch self {
    case .index: JSONValue(scope.index)
    case .typed: .string(scope.typed)
    case .user: JSONValue(scope.user)
    case .arrival: JSONValue(scope.arrival)
    case .iteration: JSONValue(scope.iteration)
    case .session: .string(scope.session)
    case .status:
      if let status = scope.status { JSONValue(status) } else { throw .noAnswer("status") }
    case .answer:
      if let answer = scope.answer { answer.value } else { throw .noAnswer("answer") }
    }
  }
}

extension JSONValue {
  fileprivate func member(_ name: String) throws(EvaluationError) -> JSONValue {
    guard case .object(let object) = self else {
      throw .wrongType(".\(name) needs an object; found \(brief)")
    }
    guard let value = object[name] else { throw .outOfRange("the object has no field \(name)") }
    return value
  }

  fileprivate func element(_ index: JSONValue) throws(EvaluationError) -> JSONValue {
    if case .string(let name) = index { return try member(name) }
    guard case .array(let elements) = self else { throw .wrongType("an index […] needs a list; found \(brief)") }
    guard let number = index.int else {
      throw .wrongType("the index of a list must be a whole number; found \(index.brief)")
    }
    let position = number < 0 ? elements.count + number : number
    guard elements.indices.contains(position) else { throw .outOfRange("the index is beyond the end of the list") }
    return elements[position]
  }
}
