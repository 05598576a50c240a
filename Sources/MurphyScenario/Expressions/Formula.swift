import MurphyJSON
import MurphyModel

/// One expression with what is known of it before it runs.
package struct Formula: Sendable, Hashable {
  package let expression: Expression
  /// As written, without `${` and `}`.
  package let source: String
  package let draws: Bool

  package init(_ expression: Expression, source: String) {
    self.expression = expression
    self.source = source
    draws = expression.draws
  }

  /// A pure function of scope and stream. A formula that draws takes exactly one value of `random`, from
  /// which it seeds a stream of its own: what one value draws never shifts what another draws.
  package func evaluate(in scope: inout Scope, random: inout RandomSource) throws(EvaluationError) -> JSONValue {
    guard draws else { return try expression.value(in: &scope, random: &random) }
    var stream = RandomSource(seed: random.next())
    return try expression.value(in: &scope, random: &stream)
  }

  /// What makes a condition untrue, for people: both sides of a comparison, else `false`; nil where it is true.
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
      throw .wrongType("a condition is true or false; found \(value.brief)")
    }
    return answer
  }
}

/// Why a value could not be computed. The session that needed it ends, with this as its reason.
package enum EvaluationError: Error, Sendable, Hashable {
  /// The name was never saved: the answer that should have held it did not, or was refused.
  case unset(String)
  /// It reads the last answer, and none came before.
  case noAnswer(String)
  /// The last answer holds nothing there: a query that finds no node, a header that did not come.
  case nothing(String)
  /// The value depends on the run itself, as `now()` does, and there is no run.
  case notKnownYet(String)
  case wrongType(String)
  case outOfRange(String)
  /// A text or list grew over its bound.
  case tooLarge(String)

  /// For people, and for counting equal reasons: holds no values of one session.
  package var text: String {
    switch self {
    case .unset(let name): "\(name) was never saved"
    case .noAnswer(let name): "\(name) reads the last answer, and no answer came before"
    case .notKnownYet(let name): "\(name) is known only in a run"
    case .nothing(let message), .wrongType(let message), .outOfRange(let message), .tooLarge(let message): message
    }
  }
}
