/// A word of JavaScript (ECMA-262 §12), with the line on which it stands.
struct K6Token {
  enum Kind: Equatable {
    case word(String)
    case string(String)
    case number(String)
    case sign(String)
    /// A template literal: texts, and the tokens of what stands between `${` and `}`.
    case template([K6TemplatePart])
    /// A regular expression, or what no script holds.
    case other
  }

  var kind: Kind
  var line: Int

  func isSign(_ text: String) -> Bool { kind == .sign(text) }
  func isWord(_ text: String) -> Bool { kind == .word(text) }

  var word: String? { if case .word(let word) = kind { word } else { nil } }
}

enum K6TemplatePart: Equatable {
  case text(String)
  case expression([K6Token])
}

extension K6Token: Equatable {
  static func == (left: K6Token, right: K6Token) -> Bool { left.kind == right.kind }
}
