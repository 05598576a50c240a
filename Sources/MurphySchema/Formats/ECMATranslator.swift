/// Translates an ECMA-262 pattern to a PCRE2 pattern and validates it.
///
/// No syntax that is specific to PCRE2 is passed through: each element of the grammar is parsed and written again.
/// Groups are numbered, because PCRE2's group names allow fewer letters. One pass, no recursion, so nesting uses no
/// stack.
struct ECMATranslator {
  let source: String
  let scalars: [Unicode.Scalar]
  let syntax: ECMASyntax
  var index = 0
  var output = ""
  /// The number of capturing groups in the whole pattern. It is needed in advance, because a name may occur before its
  /// group.
  var groupCount = 0
  var groupNames: [String: Int] = [:]
  /// One for each open group: true if a quantifier may follow its end.
  private var open: [Bool] = []

  init(_ source: String, syntax: ECMASyntax) {
    self.source = source
    self.syntax = syntax
    scalars = Array(source.unicodeScalars)
  }

  var isStrict: Bool { syntax != .legacy }

  mutating func translate() throws(RegexError) -> String {
    try countGroups()
    /// True if the element before can be repeated.
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
        guard repeatable else { throw error("there is nothing to repeat before '\(scalar)'") }
        output.unicodeScalars.append(scalar)
        index += 1
        lazyMark()
        repeatable = false
      case "{":
        repeatable = try brace(repeatable)
      case "}", "]":
        if isStrict { throw error("'\(scalar)' has no matching bracket; write '\\\(scalar)'") }
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

  /// A literal character, inside and outside of classes.
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
    if peek() == "?", syntax != .interoperable {
      output += "?"
      index += 1
    }
  }

  /// `[…]`
  mutating func characterClass() throws(RegexError) {
    index += 1
    let negated = skip("^")
    var set = ""
    while let scalar = peek(), scalar != "]" {
      if syntax == .interoperable, scalar == "-", !set.isEmpty, peek(1) != "]" {
        throw error("a character class contains an unescaped '-'; write '\\-'")
      }
      let start = try classAtom()
      if peek() == "-", let after = peek(1), after != "]" {
        if syntax == .interoperable, scalar == "-" || after == "-" {
          throw error("a bound of a range is an unescaped '-'")
        }
        let dash = index
        index += 1
        let end = try classAtom()
        switch (start, end) {
        case (.scalar(let low), .scalar(let high)):
          guard low <= high else { throw error("the bounds of a range are in the wrong order") }
          set += Self.escaped(low) + "-" + Self.escaped(high)
        case (.nothing, _), (_, .nothing):
          // Half a surrogate pair limits the range: only the part that UTF-8 can represent remains.
          if case .scalar(let low) = start, low < "\u{D7FF}" { set += Self.escaped(low) + "-\\x{d7ff}" }
          if case .scalar(let high) = end, high > "\u{E000}" { set += "\\x{e000}-" + Self.escaped(high) }
        default:
          if isStrict {
            index = dash
            throw error("a bound of a range is a set of characters")
          }
          set += Self.inside(start) + "\\-" + Self.inside(end)
        }
      } else {
        set += Self.inside(start)
      }
    }
    guard peek() == "]" else { throw error("'[' without ']'") }
    index += 1
    if set.isEmpty {
      if syntax == .interoperable { throw error("a character class is empty") }
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
      if syntax == .interoperable, scalar == "[" {
        throw error("'[' is not allowed inside a character class; write '\\['")
      }
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

  /// `{Name}` or `{Name=Value}` after `\p` (ECMA-262 tables 69 to 71), in PCRE2's spelling.
  mutating func property(negated: Bool) throws(RegexError) -> String {
    let start = index
    var text = ""
    guard skip("{") else { throw error("\\p without '{'") }
    while let scalar = peek(), scalar != "}" {
      text.unicodeScalars.append(scalar)
      index += 1
    }
    guard skip("}"), text.utf8.allSatisfy({ $0 < 0x7F && $0 > 0x20 }) else {
      index = start
      throw error("\\p{…} is not closed")
    }
    let sign = negated ? "\\P" : "\\p"
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    if syntax == .interoperable {
      guard Self.categories.values.contains(text), text != "Cs", text != "LC" else {
        throw error("I-Regexp does not support the property '\(text)'")
      }
      return "\(sign){\(text)}"
    }
    switch (parts.count, parts[0]) {
    case (2, "General_Category"), (2, "gc"):
      if let category = Self.category(parts[1]) { return "\(sign){\(category)}" }
    case (2, "Script"), (2, "sc"):
      if Self.isName(parts[1]) { return "\(sign){sc:\(parts[1])}" }
    case (2, "Script_Extensions"), (2, "scx"):
      if Self.isName(parts[1]) { return "\(sign){scx:\(parts[1])}" }
    case (1, "Any"): return negated ? "" : "\\x{0}-\\x{10ffff}"
    case (1, "ASCII"): return negated ? "\\x{80}-\\x{10ffff}" : "\\x{0}-\\x{7f}"
    case (1, "Assigned"): return negated ? "\\p{Cn}" : "\\P{Cn}"
    case (1, _):
      if let category = Self.category(parts[0]) { return "\(sign){\(category)}" }
      if Self.binary.contains(parts[0]) { return "\(sign){\(parts[0])}" }
    default: break
    }
    index = start
    throw error("the Unicode property '\(text)' does not exist")
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 == 0x5F || ($0 | 0x20) &- 0x61 < 26 }
  }

  private static func category(_ name: String) -> String? {
    categories[name] ?? (categories.values.contains(name) ? name : nil)
  }

  /// Values of General_Category by their long names (PropertyValueAliases.txt).
  private static let categories = [
    "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Unassigned": "Cn", "Private_Use": "Co",
    "Surrogate": "Cs", "Letter": "L", "Cased_Letter": "LC", "Lowercase_Letter": "Ll", "Modifier_Letter": "Lm",
    "Other_Letter": "Lo", "Titlecase_Letter": "Lt", "Uppercase_Letter": "Lu", "Mark": "M", "Combining_Mark": "M",
    "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Nonspacing_Mark": "Mn", "Number": "N", "Decimal_Number": "Nd",
    "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P",
    "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Close_Punctuation": "Pe", "Final_Punctuation": "Pf",
    "Initial_Punctuation": "Pi", "Other_Punctuation": "Po", "Open_Punctuation": "Ps", "Symbol": "S",
    "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Math_Symbol": "Sm", "Other_Symbol": "So", "Separator": "Z",
    "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Space_Separator": "Zs",
  ]

  /// The binary properties and their aliases.
  private static let binary: Set<String> = [
    "ASCII_Hex_Digit", "AHex", "Alphabetic", "Alpha", "Bidi_Control", "Bidi_C", "Bidi_Mirrored", "Bidi_M",
    "Case_Ignorable", "CI", "Cased", "Changes_When_Casefolded", "CWCF", "Changes_When_Casemapped", "CWCM",
    "Changes_When_Lowercased", "CWL", "Changes_When_Titlecased", "CWT", "Changes_When_Uppercased", "CWU", "Dash",
    "Default_Ignorable_Code_Point", "DI", "Deprecated", "Dep", "Diacritic", "Dia", "Emoji", "Emoji_Component",
    "EComp", "Emoji_Modifier", "EMod", "Emoji_Modifier_Base", "EBase", "Emoji_Presentation", "EPres",
    "Extended_Pictographic", "ExtPict", "Extender", "Ext", "Grapheme_Base", "Gr_Base", "Grapheme_Extend", "Gr_Ext",
    "Hex_Digit", "Hex", "IDS_Binary_Operator", "IDSB", "IDS_Trinary_Operator", "IDST", "ID_Continue", "IDC",
    "ID_Start", "IDS", "Ideographic", "Ideo", "Join_Control", "Join_C", "Logical_Order_Exception", "LOE",
    "Lowercase", "Lower", "Math", "Noncharacter_Code_Point", "NChar", "Pattern_Syntax", "Pat_Syn",
    "Pattern_White_Space", "Pat_WS", "Quotation_Mark", "QMark", "Radical", "Regional_Indicator", "RI",
    "Sentence_Terminal", "STerm", "Soft_Dotted", "SD", "Terminal_Punctuation", "Term", "Unified_Ideograph", "UIdeo",
    "Uppercase", "Upper", "Variation_Selector", "VS", "White_Space", "space", "XID_Continue", "XIDC", "XID_Start",
    "XIDS",
  ]
}
