/// The meaning of a plain YAML scalar by the core schema of YAML 1.2 (§10.3.2), in contracts and in scenarios: `007` is
/// the number 7, `0o7` and `0x7` are numbers; `yes`, `on` and dates are strings.
package enum YAMLScalar: Equatable {
  case null
  case bool(Bool)
  /// A number in JSON's spelling.
  case number(String)
  case string

  /// The type of a scalar without quotes (YAML 1.2.2 §10.3).
  package init(plain text: String) {
    switch text {
    case "", "~", "null", "Null", "NULL": self = .null
    case "true", "True", "TRUE": self = .bool(true)
    case "false", "False", "FALSE": self = .bool(false)
    default: self = Self.number(in: text).map(YAMLScalar.number) ?? .string
    }
  }

  /// The JSON spelling of a YAML number: `+1` → `1`, `.5` → `0.5`, `0x1F` → `31`; nil if it is not a number.
  private static func number(in text: String) -> String? {
    guard let first = text.utf8.first, isNumberStart(first) else { return nil }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
      // Swift accepts a sign here; YAML's core schema does not.
      let digits = text.dropFirst(2)
      return digits.first?.isHexDigit == true ? UInt64(digits, radix: radix).map(String.init) : nil
    }
    return decimal(text)?.lowercased()
  }

  /// The JSON spelling of a decimal number in a wider grammar, which XML shares: `+1`, `007`, `.5`, `5.`.
  package static func decimal(_ text: String) -> String? {
    var rest = Substring(text)
    var sign = ""
    if rest.first == "-" || rest.first == "+" { sign = rest.removeFirst() == "-" ? "-" : "" }
    let whole = digits(&rest)
    var fraction = ""
    var hasPoint = false
    if rest.first == "." {
      hasPoint = true
      rest.removeFirst()
      fraction = String(digits(&rest))
    }
    guard !(whole.isEmpty && fraction.isEmpty) else { return nil }
    var exponent = ""
    if rest.first == "e" || rest.first == "E" {
      exponent.append(rest.removeFirst())
      if rest.first == "-" || rest.first == "+" { exponent.append(rest.removeFirst()) }
      let power = digits(&rest)
      guard !power.isEmpty else { return nil }
      exponent += power
    }
    guard rest.isEmpty else { return nil }
    let significant = whole.drop { $0 == "0" }
    let integer = significant.isEmpty ? "0" : String(significant)
    return sign + integer + (hasPoint && !fraction.isEmpty ? "." + fraction : "") + exponent
  }

  private static func isNumberStart(_ byte: UInt8) -> Bool {
    (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
  }

  private static func digits(_ rest: inout Substring) -> Substring {
    let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
    rest = rest.dropFirst(digits.count)
    return digits
  }
}
