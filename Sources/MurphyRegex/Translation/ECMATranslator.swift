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

extension ECMATranslator {
  /// `[…]`
  mutating func characterClass() throws(RegexError) {
    index += 1
    let negated = skip("^")
    var set = ""
    while let scalar = peek(), scalar != "]" {
      let start = try classAtom()
      if peek() == "-", let after = peek(1), after != "]" {
        let dash = index
        index += 1
        let end = try classAtom()
        switch (start, end) {
        case (.scalar(let low), .scalar(let high)):
          guard low <= high else { throw error("a range whose bounds are out of order") }
          set += Self.escaped(low) + "-" + Self.escaped(high)
        case (.nothing, _), (_, .nothing):
          // Half a surrogate pair bounds the range: what UTF-8 can hold of it remains.
          if case .scalar(let low) = start, low < "\u{D7FF}" { set += Self.escaped(low) + "-\\x{d7ff}" }
          if case .scalar(let high) = end, high > "\u{E000}" { set += "\\x{e000}-" + Self.escaped(high) }
        default:
          if isStrict {
            index = dash
            throw error("a range bound that is a set")
          }
          set += Self.inside(start) + "\\-" + Self.inside(end)
        }
      } else {
        set += Self.inside(start)
      }
      if syntax == .interoperable, scalar == "[" { throw error("'[' inside a class; write '\\['") }
    }
    guard peek() == "]" else { throw error("'[' without ']'") }
    index += 1
    if set.isEmpty {
      output += negated ? "[\\x{0}-\\x{10ffff}]" : "(?!)"
    } else {
      output += (negated ? "[^" : "[") + set + "]"
    }
  }

  private static func inside(_ escape: ECMAEscape) -> String {
    switch escape {
    case .scalar(let scalar): escaped(scalar)
    case .nothing: ""
    case .set(let set): set
    }
  }

  private mutating func classAtom() throws(RegexError) -> ECMAEscape {
    guard let scalar = peek() else { throw error("'[' without ']'") }
    guard scalar == "\\" else {
      index += 1
      return .scalar(scalar)
    }
    switch peek(1) {
    case "b" where syntax != .interoperable:
      index += 2
      return .scalar("\u{8}")
    case let letter? where !isStrict && (("1"..."9").contains(letter) || letter == "B" || letter == "k"):
      index += 2
      return .scalar(scalars[index - 1])
    default:
      return try escape(inClass: true)
    }
  }
}
