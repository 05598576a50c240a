import MurphyModel
import MurphySchema

/// Reads one expression by precedence climbing.
///
///     expression = binary [ "?" expression ":" expression ]
///     binary     = unary { operator unary }              by precedence, from the left
///     unary      = { "-" | "!" } postfix
///     postfix    = primary { "." name | "[" expression "]" }
///     primary    = number | text | true | false | null | name | name "(" arguments ")" | query
///                | "(" expression ")" | "[" [ expression { "," expression } ] "]"
///     query      = "$" and the segments of a JSONPath (RFC 9535) without blanks between them
struct ExpressionParser {
  private static let longestChain = 128

  let characters: [Character]
  /// Resolves names at the place of the expression.
  let names: ScenarioReader
  var lexer: ExpressionLexer
  var token: ExpressionToken
  var depth = 0
  var guarded = false
  /// Values from the environment, and strings that contain them.
  var secrets: Set<String> = []

  /// Reads the whole of `text`.
  static func parse(
    _ text: String, names: ScenarioReader
  ) throws(ExpressionMistake) -> (expression: Expression, secrets: Set<String>) {
    var parser = try ExpressionParser(text, names: names)
    return (try parser.whole(), parser.secrets)
  }

  private init(_ text: String, names: ScenarioReader) throws(ExpressionMistake) {
    characters = Array(text)
    self.names = names
    lexer = ExpressionLexer(characters)
    guard characters.count <= ExpressionLexer.longest else {
      throw ExpressionMistake(message: "the expression is longer than \(ExpressionLexer.longest) characters", offset: 0)
    }
    token = try lexer.token()
  }

  mutating func whole() throws(ExpressionMistake) -> Expression {
    if token.kind == .end { throw mistake("the expression between ${ and } is empty") }
    let expression = try expression()
    guard token.kind == .end else {
      throw mistake("expected an operator or the end of the expression; found \(token.found)")
    }
    return expression
  }

  mutating func expression() throws(ExpressionMistake) -> Expression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Expression.deepest else {
      throw mistake("the expression has more than \(Expression.deepest) levels of nesting")
    }
    let condition = try binary(above: 0)
    guard try skip(if: "?") else { return condition }
    let yes = try expression()
    try expect(":", "between the two values of ?")
    return try folded(.conditional(condition, yes, try expression()), at: token)
  }

  mutating func binary(above lowest: Int) throws(ExpressionMistake) -> Expression {
    var left = try unary()
    var terms = 1
    while case .symbol(let symbol) = token.kind, let binary = BinaryOperator(rawValue: symbol),
      binary.precedence > lowest
    {
      let place = token
      // A chain of operators is a tree whose depth is the length of the chain.
      terms += 1
      guard terms <= Self.longestChain else {
        throw mistake("the expression has more than \(Self.longestChain) terms in a row")
      }
      try advance()
      let right = try self.binary(above: binary.precedence)
      left = try folded(.binary(binary, left, right), at: place)
    }
    return left
  }

  mutating func unary() throws(ExpressionMistake) -> Expression {
    let place = token
    guard case .symbol(let symbol) = token.kind, symbol == "-" || symbol == "!" else { return try postfix() }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Expression.deepest else {
      throw mistake("the expression has more than \(Expression.deepest) levels of nesting")
    }
    try advance()
    let operand = try unary()
    return try folded(symbol == "-" ? .negative(operand) : .not(operand), at: place)
  }

  mutating func advance() throws(ExpressionMistake) { token = try lexer.token() }

  mutating func skip(if symbol: String) throws(ExpressionMistake) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: String, _ purpose: String) throws(ExpressionMistake) {
    guard try skip(if: symbol) else { throw mistake("expected \"\(symbol)\" \(purpose); found \(token.found)") }
  }

  /// - Parameter place: nil for the next token.
  func mistake(_ message: String, at place: ExpressionToken? = nil) -> ExpressionMistake {
    ExpressionMistake(message, at: place ?? token)
  }

  /// A constant is evaluated once, here. An error that needs no variable is reported here too.
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
      throw mistake(error.text, at: place)
    }
  }

}

extension Expression {
  /// True if it reads nothing of the session. It may still generate values.
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

/// A mistake in an expression, with its position in the text.
struct ExpressionMistake: Error, Hashable {
  var message: String
  /// The number of characters before it.
  var offset = 0
  var width = 1
}

extension ExpressionMistake {
  init(_ message: String, at place: ExpressionToken) {
    self.init(message: message, offset: place.offset, width: max(place.width, 1))
  }
}

extension ExpressionParser {
  mutating func postfix() throws(ExpressionMistake) -> Expression {
    var base = try primary()
    // Each iteration nests the tree one level deeper, so the iterations are bounded as well.
    for _ in 0...Expression.deepest {
      let place = token
      if try skip(if: ".") {
        guard case .name(let name) = token.kind else {
          throw mistake("expected a name after the dot; found \(token.found)")
        }
        try check(column: name, of: base)
        try check(answerPart: name, of: base)
        try advance()
        base = try folded(.member(base, name: name), at: place)
      } else if try skip(if: "[") {
        let index = try expression()
        try expect("]", "after the index")
        base = try folded(.element(base, index: index), at: place)
      } else {
        return base
      }
    }
    throw mistake("the expression has more than \(Expression.deepest) levels of nesting")
  }

  func check(column: String, of base: Expression) throws(ExpressionMistake) {
    guard case .variable(let variable) = base, let columns = names.columns(of: variable), !columns.contains(column)
    else { return }
    throw mistake(
      "the feed \(variable.name) has no column \"\(column)\"\(names.suggestion(column, columns))", at: token)
  }

  private func check(answerPart name: String, of base: Expression) throws(ExpressionMistake) {
    guard base == .context(.answer), !LastAnswer.parts.contains(name) else { return }
    throw mistake(
      "the fields of answer are \(LastAnswer.parts.joined(separator: ", ")); found \(token.found)"
        + names.suggestion(name, LastAnswer.parts), at: token)
  }

  /// A query into the last response's body.
  private func path(_ text: String, at place: ExpressionToken) throws(ExpressionMistake) -> Expression {
    do throws(JSONPathError) {
      let path = try JSONPath(text)
      names.flow.readsAnswer = true
      return .path(path)
    } catch {
      throw ExpressionMistake(
        message: "not a JSONPath query: \(error.message)", offset: place.offset + error.offset, width: 1)
    }
  }

  mutating func primary() throws(ExpressionMistake) -> Expression {
    let place = token
    switch token.kind {
    case .number(let text):
      try advance()
      return .literal(JSONNumber(text: text).map(JSONValue.number) ?? .string(text))
    case .text(let text):
      try advance()
      return .literal(.string(text))
    case .path(let text):
      try advance()
      return try path(text, at: place)
    case .name(let name):
      try advance()
      if token.kind == .symbol("(") { return try call(name, at: place) }
      return try self.name(name, at: place)
    case .symbol("("):
      try advance()
      let inner = try expression()
      try expect(")", "to close the parenthesis")
      return inner
    case .symbol("["):
      try advance()
      return try folded(.list(try list(closing: "]")), at: place)
    case .symbol, .end:
      throw mistake("expected a value; found \(token.found)")
    }
  }

  func name(_ name: String, at place: ExpressionToken) throws(ExpressionMistake) -> Expression {
    switch name {
    case "true": return .literal(true)
    case "false": return .literal(false)
    case "null": return .literal(.null)
    default: return try names.meaning(of: name, at: place, guarded: guarded)
    }
  }
}
