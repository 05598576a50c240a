import MurphySchema

extension ExpressionParser {
  /// Starts after the name, at the parenthesis.
  mutating func call(_ name: String, at place: ExpressionToken) throws(ExpressionMistake) -> Expression {
    if name == "choose" { return try choice(at: place) }
    if name == "env" { return try environment(at: place) }
    guard let function = Function(rawValue: name) else {
      let known = Function.allCases.map(\.rawValue) + ["choose", "env"]
      let hint = names.suggestion(name, known)
      throw mistake(
        "unknown function \"\(name)\"\(hint.isEmpty ? "." : hint) The functions are "
          + known.sorted().joined(separator: ", "), at: place)
    }
    try advance()
    let outer = guarded
    guarded = guarded || function == .coalesce
    defer { guarded = outer }
    let arguments = try list(closing: ")", words: function)
    guard function.arity.contains(arguments.count) else {
      throw mistake(
        "\(name)() must have the form \(function.usage); found \(arguments.count) argument"
          + (arguments.count == 1 ? "" : "s"), at: place)
    }
    return try folded(.call(function, arguments), at: place)
  }

  /// Values separated by commas, after the opening bracket.
  mutating func list(closing: String, words: Function? = nil) throws(ExpressionMistake) -> [Expression] {
    var elements: [Expression] = []
    if try skip(if: closing) { return elements }
    repeat {
      if case .name(let word) = token.kind, let words, words.takesWord(at: elements.count) {
        try advance()
        elements.append(.literal(.string(word)))
      } else {
        elements.append(try expression())
      }
    } while try skip(if: ",")
    try expect(closing, "after the list of values")
    return elements
  }

  /// `env(NAME)` or `env(NAME, "otherwise")`
  mutating func environment(at place: ExpressionToken) throws(ExpressionMistake) -> Expression {
    try advance()
    let nameToken = token
    let name: String
    switch token.kind {
    case .name(let word), .text(let word): name = word
    default: throw mistake("env() needs the name of an environment variable; found \(token.found)")
    }
    try advance()
    var otherwise: String?
    if try skip(if: ",") {
      guard case .text(let text) = token.kind else {
        throw mistake("the second argument of env() must be a string in quotes")
      }
      otherwise = text
      try advance()
    }
    try expect(")", "after the name")
    guard let value = names.environment(name) ?? otherwise ?? (names.toleratesMissingEnvironment ? "" : nil) else {
      throw mistake(
        "the environment variable \(name) is not set; set it, or write env(\(name), \"default\")", at: nameToken)
    }
    secrets.insert(value)
    return .secret(.string(value))
  }

  /// `choose(a, b)` and `choose(a: 3, b: 1)`: bare words are strings here, including spaces.
  mutating func choice(at place: ExpressionToken) throws(ExpressionMistake) -> Expression {
    var choices: [Expression.Choice] = []
    repeat {
      // At the parenthesis or a comma: the text after it is not yet split into tokens.
      let value: Expression
      if let (word, end) = bareWord(from: token.offset + 1) {
        value = .literal(.string(word))
        lexer = ExpressionLexer(characters, from: end)
        try advance()
      } else {
        try advance()
        value = try expression()
      }
      choices.append(Expression.Choice(value: value, weight: try skip(if: ":") ? try weight() : 1))
    } while token.kind == .symbol(",")
    try expect(")", "after the alternatives")
    guard choices.contains(where: { $0.weight > 0 }) else {
      throw mistake("choose() needs at least one positive weight", at: place)
    }
    return .choice(choices)
  }

  mutating func weight() throws(ExpressionMistake) -> Double {
    guard case .number(let text) = token.kind, let weight = Double(text) else {
      throw mistake("a weight must be a number; found \(token.found)")
    }
    try advance()
    return weight
  }

  /// A string of letters, digits, spaces, hyphens, dots and apostrophes up to `,`, `)` or `:`. It begins with a letter;
  /// nil otherwise. It is trimmed. The second value is its end.
  func bareWord(from start: Int) -> (String, Int)? {
    var end = start
    while end < characters.count, !",):".contains(characters[end]) { end += 1 }
    let word = String(characters[start..<end]).trimmingBlanks()
    guard end < characters.count, let first = word.first, first.isLetter || first == "_",
      word.allSatisfy({ $0.isLetter || $0.isNumber || " _-.".contains($0) }),
      !["true", "false", "null"].contains(word)
    else { return nil }
    return (word, end)
  }
}
