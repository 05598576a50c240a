/// Rewrites an ECMA-262 pattern as a PCRE2 one, and checks it on the way.
///
/// Nothing of PCRE2's own syntax gets through: each element of the grammar is read and written anew. Groups are
/// numbered, for PCRE2's group names know fewer letters. One pass, no recursion, so nesting costs no stack.
struct ECMATranslator {
  let source: String
  let scalars: [Unicode.Scalar]
  let syntax: ECMASyntax
  var index = 0
  var output = ""
  /// The capturing groups of the whole pattern, found before: names may be used before their group.
  var groupCount = 0
  var groupNames: [String: Int] = [:]
  /// One for each open group: whether a quantifier may follow its end.
  private var open: [Bool] = []

  init(_ source: String, syntax: ECMASyntax) {
    self.source = source
    self.syntax = syntax
    scalars = Array(source.unicodeScalars)
  }

  var isStrict: Bool { syntax != .legacy }

  mutating func translate() throws(RegexError) -> String {
    try countGroups()
    /// Whether the element before can be repeated.
    var repeatable = false
    while let scalar = peek() {
      switch scalar {
      case "(":
        try openGroup()
        repeatable = false
      case ")":
        guard let canRepeat = open.popLast() else { throw error("')' without '('") }
        output += ")"
        index += 1
        repeatable = canRepeat
      case "|":
        output += "|"
        index += 1
        repeatable = false
      case "^", "$":
        output.unicodeScalars.append(scalar)
        index += 1
        repeatable = false
      case "*", "+", "?":
        guard repeatable else { throw error("nothing to repeat before '\(scalar)'") }
        output.unicodeScalars.append(scalar)
        index += 1
        lazyMark()
        repeatable = false
      case "{":
        repeatable = try brace(repeatable)
      case "}", "]":
        if isStrict { throw error("'\(scalar)' without its partner; write '\\\(scalar)'") }
        literal(scalar)
        index += 1
        repeatable = true
      case "[":
        try characterClass()
        repeatable = true
      case ".":
        output += syntax == .interoperable ? "[^\\n\\r]" : "[^\\n\\r\\x{2028}\\x{2029}]"
        index += 1
        repeatable = true
      case "\\":
        repeatable = try atomEscape()
      default:
        literal(scalar)
        index += 1
        repeatable = true
      }
    }
    if !open.isEmpty { throw error("'(' without ')'") }
    return output
  }

  func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
    index + ahead < scalars.count ? scalars[index + ahead] : nil
  }

  func follows(_ text: String) -> Bool { scalars[index...].starts(with: text.unicodeScalars) }

  mutating func skip(_ text: String) -> Bool {
    guard follows(text) else { return false }
    index += text.unicodeScalars.count
    return true
  }

  mutating func literal(_ scalar: Unicode.Scalar) { output += Self.escaped(scalar) }

  /// A character that means itself, inside and outside of classes.
  static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": String(scalar)
    case "\u{21}"..."\u{7E}": "\\\(scalar)"
    default: "\\x{\(String(scalar.value, radix: 16))}"
    }
  }

  func error(_ message: String) -> RegexError {
    RegexError(kind: .syntax, pattern: source, offset: index, message: message)
  }

  mutating func enter(repeatable: Bool) { open.append(repeatable) }

  mutating func lazyMark() {
    if peek() == "?" {
      output += "?"
      index += 1
    }
  }
}
