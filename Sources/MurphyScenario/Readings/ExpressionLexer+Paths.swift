extension ExpressionLexer {
  /// From `$` to where no segment of a JSONPath can go on; brackets are followed to their end, quotes and all.
  ///
  /// Blanks end it, so that `$.a * 2` multiplies. Whether it is a query is for its reader to say.
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

  /// RFC 9535 §2.5.1.1: letters, digits, `_` and all beyond ASCII.
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
