/// Splits an expression into tokens.
struct ExpressionLexer {
  static let longest = 4096

  let characters: [Character]
  var position = 0

  init(_ characters: [Character], from position: Int = 0) {
    self.characters = characters
    self.position = position
  }

  mutating func token() throws(ExpressionMistake) -> ExpressionToken {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
    let start = position
    guard position < characters.count else { return ExpressionToken(kind: .end, offset: start, width: 1) }
    let kind: ExpressionToken.Lexeme =
      switch characters[position] {
      case "'", "\"": .text(try text())
      case "$": .path(path())
      case let digit where digit.isASCII && digit.isNumber: .number(try number())
      case let letter where Self.beginsName(letter): .name(name())
      default: .symbol(try symbol())
      }
    return ExpressionToken(kind: kind, offset: start, width: position - start)
  }

  static func beginsName(_ character: Character) -> Bool {
    character == "_" || (character.isASCII && character.isLetter)
  }

  static func continuesName(_ character: Character) -> Bool {
    beginsName(character) || (character.isASCII && character.isNumber)
  }

  private mutating func name() -> String {
    let start = position
    while position < characters.count, Self.continuesName(characters[position]) { position += 1 }
    return String(characters[start..<position])
  }

  private mutating func digits() {
    while position < characters.count, characters[position].isASCII, characters[position].isNumber { position += 1 }
  }

  /// JSON numbers without the sign.
  private mutating func number() throws(ExpressionMistake) -> String {
    let start = position
    digits()
    if position + 1 < characters.count, characters[position] == ".", characters[position + 1].isNumber {
      position += 1
      digits()
    }
    if position < characters.count, Self.beginsName(characters[position]) {
      _ = name()
      let text = String(characters[start..<position])
      throw ExpressionMistake(
        message: "\(text) is not a number; write a number with a unit in quotes", offset: start,
        width: position - start)
    }
    return String(characters[start..<position])
  }

  /// `'…'` or `"…"`, with `\n`, `\t`, `\\` and the quote itself as escapes.
  private mutating func text() throws(ExpressionMistake) -> String {
    let start = position
    let quote = characters[position]
    position += 1
    var text = ""
    while position < characters.count {
      let character = characters[position]
      position += 1
      if character == quote { return text }
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard position < characters.count else { break }
      switch characters[position] {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "\\", quote: text.append(characters[position])
      default:
        throw ExpressionMistake(
          message: "\\\(characters[position]) is not an escape sequence; use \\n, \\t, \\\\ or \\\(quote)",
          offset: position - 1,
          width: 2)
      }
      position += 1
    }
    throw ExpressionMistake(message: "the closing quotation mark is missing", offset: start)
  }

  private mutating func symbol() throws(ExpressionMistake) -> String {
    let two = String(characters[position..<min(position + 2, characters.count)])
    if ["==", "!=", "<=", ">=", "&&", "||"].contains(two) {
      position += 2
      return two
    }
    let one = String(characters[position])
    guard "+-*/%<>!()[],.?:".contains(one) else {
      let hint = ["=": ". Did you mean \"==\"?", "&": ". Did you mean \"&&\"?", "|": ". Did you mean \"||\"?"]
      throw ExpressionMistake(message: "unexpected \"\(one)\"\(hint[one] ?? "")", offset: position)
    }
    position += 1
    return one
  }

  /// From `$` to the character that cannot continue a JSONPath segment. Brackets are read to their end, including
  /// quotes.
  ///
  /// Blanks end it, so that `$.a * 2` multiplies. Its reader decides if it is a query.
  mutating func path() -> String {
    let start = position
    position += 1
    while position < characters.count {
      let character = characters[position]
      if Self.continuesMember(character) {
        position += 1
      } else if character == "." {
        position += 1
        if position < characters.count, characters[position] == "*" { position += 1 }
      } else if character == "[" {
        skipBrackets()
      } else {
        break
      }
    }
    return String(characters[start..<position])
  }

  /// RFC 9535 §2.5.1.1: letters, digits, `_` and all characters beyond ASCII.
  private static func continuesMember(_ character: Character) -> Bool {
    continuesName(character) || (!character.isASCII && !character.isWhitespace)
  }

  private mutating func skipBrackets() {
    var depth = 0
    var quote: Character?
    while position < characters.count {
      let character = characters[position]
      position += 1
      if let open = quote {
        if character == "\\" { position = min(position + 1, characters.count) }
        if character == open { quote = nil }
        continue
      }
      switch character {
      case "'", "\"": quote = character
      case "[": depth += 1
      case "]": depth -= 1
      default: continue
      }
      if depth == 0 { return }
    }
  }
}

/// A token of an expression.
struct ExpressionToken: Hashable {
  enum Lexeme: Hashable {
    case number(String)
    case text(String)
    case name(String)
    /// A JSONPath query, from `$`.
    case path(String)
    /// An operator or a bracket.
    case symbol(String)
    case end
  }

  var kind: Lexeme
  /// The number of characters before it.
  var offset: Int
  var width: Int

  /// For messages.
  var found: String {
    switch kind {
    case .number(let text), .path(let text): text
    case .text(let text): "\"\(text)\""
    case .name(let name): "\"\(name)\""
    case .symbol(let symbol): "\"\(symbol)\""
    case .end: "the end of the expression"
    }
  }
}
