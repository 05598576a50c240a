import MurphyJSON
import MurphyModel

extension ExpressionParser {
  mutating func postfix() throws(ExpressionMistake) -> Expression {
    var base = try primary()
    // Each turn nests the tree one level deeper, so the turns are bounded as well.
    for _ in 0...Expression.deepest {
      let place = token
      if try take(".") {
        guard case .name(let name) = token.kind else {
          throw mistake("expected a name after the dot; found \(token.found)")
        }
        try check(column: name, of: base)
        try check(answerPart: name, of: base)
        try advance()
        base = try folded(.member(base, name: name), at: place)
      } else if try take("[") {
        let index = try expression()
        try expect("]", "behind the index")
        base = try folded(.element(base, index: index), at: place)
      } else {
        return base
      }
    }
    throw mistake("more than \(Expression.deepest) levels of nesting")
  }

  func check(column: String, of base: Expression) throws(ExpressionMistake) {
    guard case .variable(let variable) = base, let columns = names.columns(of: variable), !columns.contains(column)
    else { return }
    throw ExpressionMistake(
      message: "the feed \(variable.name) has no column \"\(column)\"\(suggestion(column, columns))",
      offset: token.offset, width: token.width)
  }

  private func check(answerPart name: String, of base: Expression) throws(ExpressionMistake) {
    guard base == .context(.answer), !LastAnswer.parts.contains(name) else { return }
    throw ExpressionMistake(
      message: "an answer has \(LastAnswer.parts.joined(separator: ", ")); found \(token.found)"
        + suggestion(name, LastAnswer.parts), offset: token.offset, width: token.width)
  }

  /// A query into the last answer's body.
  private func path(_ text: String, at place: ExpressionToken) throws(ExpressionMistake) -> Expression {
    do throws(JSONPathError) {
      let path = try JSONPath(text)
      names.readAnswer()
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
    default:
      switch names.meaning(of: name, guarded: guarded) {
      case .success(let expression): return expression
      case .failure(let mistake):
        throw ExpressionMistake(message: mistake.message, offset: place.offset, width: place.width)
      }
    }
  }
}
