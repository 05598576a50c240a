import MurphyModel

/// Takes the formula of `holds:` apart, one word, number or sign after the other.
struct StateFormulaScanner {
  enum Token: Hashable {
    case number(Int64)
    case word(String)
    case sign(String)
    case end
  }

  private let characters: [Character]
  /// The next one, and where it begins.
  private(set) var token = Token.end
  private(set) var offset = 0
  private var end = 0

  private static let signs: Set = ["<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "(", ")", ","]

  init(_ text: String) throws(StateText.Mistake) {
    characters = Array(text)
    try advance()
  }

  mutating func advance() throws(StateText.Mistake) {
    while end < characters.count, characters[end].isWhitespace { end += 1 }
    offset = end
    guard end < characters.count else {
      token = .end
      return
    }
    let first = characters[end]
    if first.isASCII, first.isNumber {
      let digits = take { $0.isASCII && $0.isNumber }
      guard let number = Int64(digits), number < 1 << 50 else {
        throw StateText.Mistake(message: "the number is too large", offset: offset)
      }
      token = .number(number)
    } else if first.isLetter || first == "_" {
      token = .word(take { $0.isLetter || $0.isNumber || "_.".contains($0) })
    } else {
      let two = String(characters[end..<min(end + 2, characters.count)])
      let sign = Self.signs.contains(two) ? two : String(first)
      guard Self.signs.contains(sign) else {
        throw StateText.Mistake(message: "\"\(sign)\" means nothing here", offset: offset)
      }
      end += sign.count
      token = .sign(sign)
    }
  }

  private mutating func take(_ belongs: (Character) -> Bool) -> String {
    let start = end
    while end < characters.count, belongs(characters[end]) { end += 1 }
    return String(characters[start..<end])
  }

  /// The text from here to the next comma or closing bracket that stands in no quotes or brackets of its own: a place
  /// in a request, or a condition on one.
  mutating func text() throws(StateText.Mistake) -> String {
    var (place, depth) = (offset, 0)
    var quote: Character?
    scan: while place < characters.count {
      let character = characters[place]
      switch character {
      case _ where quote != nil: if character == quote { quote = nil }
      case "'", "\"": quote = character
      case "(", "[": depth += 1
      case ")" where depth == 0, "," where depth == 0: break scan
      case ")", "]": depth -= 1
      default: break
      }
      place += 1
    }
    let text = String(characters[offset..<place])
    end = place
    try advance()
    return text.trimmingBlanks()
  }
}
