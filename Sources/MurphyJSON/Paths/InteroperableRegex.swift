/// I-Regexp (RFC 9485), the patterns of `match` and `search`, brought into ECMA-262 syntax (§5.3).
///
/// `^` and `$` are anchors, as in the compliance suite of JSONPath, and not the ordinary characters that the
/// grammar of RFC 9485 makes of them.
struct InteroperableRegex {
  private static let deepest = 128

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private var output = String.UnicodeScalarView()

  /// The pattern in ECMA-262 syntax, or nil for a text that is not an I-Regexp.
  static func ecmaScript(_ pattern: String) -> String? {
    var reader = InteroperableRegex(scalars: Array(pattern.unicodeScalars))
    guard reader.alternatives(), reader.position == reader.scalars.count else { return nil }
    return String(reader.output)
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private mutating func copy(_ text: String) { output.append(contentsOf: text.unicodeScalars) }

  /// `i-regexp = branch *( "|" branch )`, `branch = *piece`
  private mutating func alternatives() -> Bool {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { return false }
    while let scalar = next, scalar != ")" {
      if take("|") {
        copy("|")
      } else if !piece() {
        return false
      }
    }
    return true
  }

  /// `piece = atom [ quantifier ]`
  private mutating func piece() -> Bool {
    guard atom() else { return false }
    switch next {
    case "*", "+", "?":
      output.append(scalars[position])
      position += 1
      return true
    case "{": return repetition()
    default: return true
    }
  }

  /// `"{" QuantExact [ "," [ QuantExact ] ] "}"`
  private mutating func repetition() -> Bool {
    let start = position
    position += 1
    guard digits() else { return false }
    if take(",") { _ = digits() }
    guard take("}") else { return false }
    output.append(contentsOf: scalars[start..<position])
    return true
  }

  private mutating func digits() -> Bool {
    let start = position
    while let scalar = next, ("0"..."9").contains(scalar) { position += 1 }
    return position > start
  }

  /// `atom = NormalChar / charClass / "(" i-regexp ")"`
  private mutating func atom() -> Bool {
    guard let scalar = next else { return false }
    position += 1
    switch scalar {
    case "(":
      copy("(?:")
      guard alternatives(), take(")") else { return false }
      copy(")")
      return true
    case ".":
      copy("[^\\n\\r]")
      return true
    case "[": return characterClass()
    case "\\": return escape(inClass: false)
    case ")", "*", "+", "?", "]", "{", "}": return false
    case "/":
      copy("\\/")
      return true
    default:
      output.append(scalar)
      return true
    }
  }

  /// `"[" [ "^" ] ( "-" / CCE1 ) *CCE1 [ "-" ] "]"`, behind the bracket.
  private mutating func characterClass() -> Bool {
    copy("[")
    if take("^") { copy("^") }
    var count = 0
    while let scalar = next, scalar != "]" {
      if scalar == "-" {
        // Only the first or the last place may hold a bare hyphen.
        position += 1
        guard count == 0 || next == "]" else { return false }
        copy("\\-")
      } else {
        guard classElement() else { return false }
      }
      count += 1
    }
    guard count > 0, take("]") else { return false }
    copy("]")
    return true
  }

  /// `CCE1 = ( CCchar [ "-" CCchar ] ) / charClassEsc`
  private mutating func classElement() -> Bool {
    if next == "\\", position + 1 < scalars.count, ["p", "P"].contains(scalars[position + 1]) {
      position += 1
      return escape(inClass: true)
    }
    guard classCharacter() else { return false }
    guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else { return true }
    position += 1
    copy("-")
    return classCharacter()
  }

  private mutating func classCharacter() -> Bool {
    guard let scalar = next else { return false }
    position += 1
    switch scalar {
    case "\\": return next != "p" && next != "P" && escape(inClass: true)
    case "-", "[", "]": return false
    default:
      output.append(scalar)
      return true
    }
  }

  /// `SingleCharEsc` or `charClassEsc`, behind the backslash.
  private mutating func escape(inClass: Bool) -> Bool {
    guard let scalar = next else { return false }
    position += 1
    switch scalar {
    case "p", "P": return category(scalar)
    case "-": copy(inClass ? "\\-" : "-")
    case "(", ")", "*", "+", ".", "?", "[", "\\", "]", "^", "{", "|", "}", "n", "r", "t":
      copy("\\")
      output.append(scalar)
    default: return false
    }
    return true
  }

  /// `"{" charProp "}"`: a general category of Unicode.
  private mutating func category(_ kind: Unicode.Scalar) -> Bool {
    let subcategories: [Unicode.Scalar: String] = [
      "L": "lmotu", "M": "cen", "N": "dlo", "P": "cdefios", "Z": "lps", "S": "ckmo", "C": "cfno",
    ]
    guard take("{"), let major = next, let minors = subcategories[major] else { return false }
    position += 1
    copy("\\\(kind){\(major)")
    if let minor = next, minors.unicodeScalars.contains(minor) {
      output.append(minor)
      position += 1
    }
    copy("}")
    return take("}")
  }
}
