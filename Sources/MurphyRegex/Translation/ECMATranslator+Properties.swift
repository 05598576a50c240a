extension ECMATranslator {
  /// `{Name}` or `{Name=Value}` behind `\p` (ECMA-262 tables 69 to 71), as PCRE2 knows it.
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
      throw error("\\p{…} that does not end")
    }
    let sign = negated ? "\\P" : "\\p"
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    if syntax == .interoperable {
      guard Self.categories.values.contains(text) else { throw error("I-Regexp has no property '\(text)'") }
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
    throw error("there is no Unicode property '\(text)'")
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
