/// Text cut at its `${…}`.
struct TemplateText {
  enum Piece: Hashable {
    case literal(String)
    /// What stands between `${` and `}`, and how many characters before it.
    case expression(String, offset: Int)
  }

  var pieces: [Piece] = []

  /// `$${` stands for `${` itself; a `}` within quotes does not end an expression.
  init(_ text: String) throws(ExpressionMistake) {
    let characters = Array(text)
    var literal = ""
    var position = 0
    func startsWith(_ prefix: String, _ place: Int) -> Bool {
      place + prefix.count <= characters.count && String(characters[place..<place + prefix.count]) == prefix
    }
    while position < characters.count {
      if startsWith("$${", position) {
        literal += "${"
        position += 3
      } else if startsWith("${", position) {
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal = ""
        let begin = position + 2
        let end = try Self.end(of: characters, from: begin)
        pieces.append(.expression(String(characters[begin..<end]), offset: begin))
        position = end + 1
      } else {
        literal.append(characters[position])
        position += 1
      }
    }
    if !literal.isEmpty || pieces.isEmpty { pieces.append(.literal(literal)) }
  }

  /// The place of the `}` that ends the expression beginning at `begin`.
  private static func end(of characters: [Character], from begin: Int) throws(ExpressionMistake) -> Int {
    var quote: Character?
    var position = begin
    while position < characters.count {
      let character = characters[position]
      if let open = quote {
        if character == "\\" { position += 1 }
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == "}" {
        return position
      }
      position += 1
    }
    throw ExpressionMistake(
      message: "${ has no closing }; write $${ for a text with ${ in it", offset: begin - 2, width: 2)
  }
}
