import MurphyJSON
import MurphyModel

extension ExpressionParser {
  mutating func advance() throws(ExpressionMistake) { token = try lexer.token() }

  mutating func take(_ symbol: String) throws(ExpressionMistake) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: String, _ purpose: String) throws(ExpressionMistake) {
    guard try take(symbol) else { throw mistake("expected \"\(symbol)\" \(purpose); found \(token.found)") }
  }

  func mistake(_ message: String) -> ExpressionMistake {
    ExpressionMistake(message: message, offset: token.offset, width: max(token.width, 1))
  }

  /// A constant is evaluated once, here; what can fail without any variable fails here too.
  mutating func folded(_ expression: Expression, at place: ExpressionToken) throws(ExpressionMistake) -> Expression {
    guard expression.dependsOnNothing else { return expression }
    var scope = Scope(variables: 0, clock: { 0 })
    var random = RandomSource(seed: 1)
    do throws(EvaluationError) {
      let value = try expression.value(in: &scope, random: &random)
      guard expression.isConstant else { return expression }
      guard expression.holdsSecret else { return .literal(value) }
      secrets.formUnion(value.leaves)
      return .secret(value)
    } catch {
      throw ExpressionMistake(message: error.text, offset: place.offset, width: place.width)
    }
  }

  func suggestion(_ name: String, _ known: [String]) -> String {
    nearestName(to: name, among: known).map { ". Did you mean \"\($0)\"?" } ?? ""
  }
}

extension Expression {
  /// Whether it reads nothing of the session, though it may draw.
  fileprivate var dependsOnNothing: Bool {
    switch self {
    case .variable, .context, .path: false
    default: parts.allSatisfy { $0.dependsOnNothing }
    }
  }
}

extension StringProtocol {
  func trimmingBlanks() -> String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
