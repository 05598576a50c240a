import MurphyJSON
import MurphyModel

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
  let names: any ExpressionNames
  var lexer: ExpressionLexer
  var token: ExpressionToken
  var depth = 0
  var guarded = false
  /// Values from the environment, and texts made of them.
  var secrets: Set<String> = []

  /// Reads the whole of `text`.
  static func parse(
    _ text: String, names: any ExpressionNames
  ) -> Result<(expression: Expression, secrets: Set<String>), ExpressionMistake> {
    do throws(ExpressionMistake) {
      var parser = try ExpressionParser(text, names: names)
      let expression = try parser.whole()
      return .success((expression, parser.secrets))
    } catch {
      return .failure(error)
    }
  }

  private init(_ text: String, names: any ExpressionNames) throws(ExpressionMistake) {
    characters = Array(text)
    self.names = names
    lexer = ExpressionLexer(characters)
    guard characters.count <= ExpressionLexer.longest else {
      throw ExpressionMistake(message: "an expression is at most \(ExpressionLexer.longest) characters long", offset: 0)
    }
    token = try lexer.token()
  }

  mutating func whole() throws(ExpressionMistake) -> Expression {
    if token.kind == .end { throw mistake("an expression is missing between ${ and }") }
    let expression = try expression()
    guard token.kind == .end else { throw mistake("expected an operator or the end; found \(token.found)") }
    return expression
  }

  mutating func expression() throws(ExpressionMistake) -> Expression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Expression.deepest else { throw mistake("more than \(Expression.deepest) levels of nesting") }
    let condition = try binary(above: 0)
    guard try take("?") else { return condition }
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
      // A chain of operators is a tree as deep as it is long.
      terms += 1
      guard terms <= Self.longestChain else { throw mistake("more than \(Self.longestChain) terms in a row") }
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
    guard depth <= Expression.deepest else { throw mistake("more than \(Expression.deepest) levels of nesting") }
    try advance()
    let operand = try unary()
    return try folded(symbol == "-" ? .negative(operand) : .not(operand), at: place)
  }
}
