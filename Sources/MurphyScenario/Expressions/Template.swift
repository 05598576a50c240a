import MurphyModel
import MurphySchema

/// One expression, with its properties that are known before it runs.
package struct Formula: Sendable, Hashable {
  package let expression: Expression
  /// As written, without `${` and `}`.
  package let source: String
  /// True if it takes random numbers, so that each execution may differ.
  package let draws: Bool

  package init(_ expression: Expression, source: String) {
    self.expression = expression
    self.source = source
    draws = expression.draws
  }

  /// A pure function of scope and stream. A formula that generates values takes exactly one value of `random` and seeds
  /// its own stream with it. The values that one formula generates therefore do not shift those of another.
  package func evaluate(in scope: inout Scope, random: inout RandomSource) throws(EvaluationError) -> JSONValue {
    guard draws else { return try expression.value(in: &scope, random: &random) }
    var stream = RandomSource(seed: random.next())
    return try expression.value(in: &scope, random: &stream)
  }

  /// The reason why a condition is false, for people: both sides of a comparison, otherwise `false`; nil if it is true.
  package func contradiction(
    in scope: inout Scope, random: inout RandomSource
  ) throws(EvaluationError) -> String? {
    if !draws, case .binary(let binary, let left, let right) = expression, (3...4).contains(binary.precedence) {
      let leftValue = try left.value(in: &scope, random: &random)
      let rightValue = try right.value(in: &scope, random: &random)
      if try binary.apply(leftValue, rightValue) == true { return nil }
      return "\(leftValue.text) \(binary.rawValue) \(rightValue.text)"
    }
    return try isTrue(in: &scope, random: &random) ? nil : "false"
  }

  /// The value of a condition.
  package func isTrue(in scope: inout Scope, random: inout RandomSource) throws(EvaluationError) -> Bool {
    let value = try evaluate(in: &scope, random: &random)
    guard case .bool(let answer) = value else {
      throw .wrongType("a condition must be true or false; found \(value.brief)")
    }
    return answer
  }
}

/// The reason why a value could not be computed. The session that required it ends with this reason.
package enum EvaluationError: Error, Sendable, Hashable {
  /// The name was not saved: the response did not contain the value, or was rejected.
  case unset(String)
  /// It reads the last response, before the first response.
  case noAnswer(String)
  /// The last response has no such value: a query without a result, or a missing header.
  case nothing(String)
  /// The value depends on the run itself, as `now()` does, but nothing is running.
  case notKnownYet(String)
  case wrongType(String)
  case outOfRange(String)
  /// A string or list exceeded its bound.
  case tooLarge(String)

  /// For people, and to count equal reasons. It contains no values of one session.
  package var text: String {
    switch self {
    case .unset(let name): "\(name) has no value, because no step saved it"
    case .noAnswer(let name): "\(name) needs a response, but the session has received no response yet"
    case .notKnownYet(let name): "the value of \(name) is known only during a run"
    case .nothing(let message), .wrongType(let message), .outOfRange(let message), .tooLarge(let message): message
    }
  }
}

/// A value of a scenario that may contain `${…}`: a string, or a list or mapping with strings.
package struct Template: Sendable, Hashable {
  /// The structure of a value, with its expressions.
  package indirect enum Content: Sendable, Hashable {
    case constant(JSONValue)
    /// The string is exactly one `${…}`: the value keeps its type.
    case expression(Expression)
    /// Strings and expressions in alternation: the value is a string.
    case text([Part])
    case array([Content])
    case object([Member])
  }

  /// A piece of a string.
  package enum Part: Sendable, Hashable {
    case literal(String)
    case expression(Expression)
  }

  /// A name and its value in a mapping.
  package struct Member: Sendable, Hashable {
    package var name: String
    package var value: Content
  }

  package let content: Content
  /// As written, for the plan and for messages.
  package let source: String
  /// True if evaluating it takes a value of the random stream. Then it takes exactly one.
  package let draws: Bool
  /// True if every evaluation returns the same value.
  package let isConstant: Bool
  /// True if it contains values of the environment.
  package let holdsSecret: Bool
  private let readsVariables: Bool

  package init(_ content: Content, source: String) {
    self.content = content
    self.source = source
    let expressions = content.expressions
    draws = expressions.contains { $0.draws }
    isConstant = expressions.allSatisfy { $0.isConstant }
    holdsSecret = expressions.contains { $0.holdsSecret }
    readsVariables = expressions.contains { !$0.variables.isEmpty }
  }

  /// Every variable that it reads.
  package var variables: [Variable] { content.expressions.flatMap(\.variables) }

  /// A pure function of scope and stream; no result is longer than `Expression.longestText`.
  package func evaluate(in scope: inout Scope, random: inout RandomSource) throws(EvaluationError) -> JSONValue {
    if case .constant(let value) = content { return value }
    let mayBeSecret = holdsSecret || (readsVariables && !scope.secretSlots.isEmpty)
    guard draws else { return try Expression.bounded(content.value(in: &scope, random: &random, mayBeSecret)) }
    var stream = RandomSource(seed: random.next())
    return try Expression.bounded(content.value(in: &scope, random: &stream, mayBeSecret))
  }

  /// True if it contains a secret in this session.
  package func isSecret(in scope: Scope) -> Bool {
    holdsSecret
      || (readsVariables && !scope.secretSlots.isEmpty && content.expressions.contains { $0.isSecret(in: scope) })
  }
}

extension Template.Content {
  /// Every expression in it, in the order written.
  package var expressions: [Expression] {
    switch self {
    case .constant: []
    case .expression(let expression): [expression]
    case .text(let parts): parts.compactMap { if case .expression(let part) = $0 { part } else { nil } }
    case .array(let elements): elements.flatMap(\.expressions)
    case .object(let members): members.flatMap(\.value.expressions)
    }
  }

  /// - Parameter mayBeSecret: true if the scope must record values that contain secrets.
  func value(
    in scope: inout Scope, random: inout RandomSource, _ mayBeSecret: Bool = false
  ) throws(EvaluationError) -> JSONValue {
    func value(of expression: Expression) throws(EvaluationError) -> JSONValue {
      let value = try expression.value(in: &scope, random: &random)
      if mayBeSecret, expression.isSecret(in: scope) { scope.learn(value) }
      return value
    }
    switch self {
    case .constant(let value): return value
    case .expression(let expression): return try value(of: expression)
    case .text(let parts):
      var text = ""
      for part in parts {
        switch part {
        case .literal(let literal): text += literal
        case .expression(let expression): text += try value(of: expression).interpolated
        }
        guard text.utf8.count <= Expression.longestText else { throw Expression.tooLong }
      }
      return .string(text)
    case .array(let elements):
      var values: [JSONValue] = []
      values.reserveCapacity(elements.count)
      for element in elements { values.append(try element.value(in: &scope, random: &random, mayBeSecret)) }
      return try Expression.bounded(.array(values))
    case .object(let members):
      var object = JSONObject()
      for member in members {
        object[member.name] = try member.value.value(in: &scope, random: &random, mayBeSecret)
      }
      return .object(object)
    }
  }
}
