/// The meaning of an escape.
enum ECMAEscape {
  case scalar(Unicode.Scalar)
  /// Half a surrogate pair, which UTF-8 cannot contain.
  case nothing
  /// A set of characters, as the contents of a PCRE2 class.
  case set(String)
}

extension ECMATranslator {
  /// ECMA-262 WhiteSpace and LineTerminator (§12.2, §12.3), and their complement.
  static let space =
    "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}"
  static let notSpace =
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}"
    + "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"

  /// An escape outside of a class. Returns true if it can be repeated.
  mutating func atomEscape() throws(RegexError) -> Bool {
    switch peek(1) {
    case "b" where syntax != .interoperable, "B" where syntax != .interoperable:
      output += peek(1) == "b" ? "\\b" : "\\B"
      index += 2
      return false
    case let digit? where ("1"..."9").contains(digit):
      return try backReference()
    case "k" where isStrict || !groupNames.isEmpty:
      index += 2
      guard skip("<") else { throw error("\\k is not followed by a group name") }
      let name = try groupName()
      guard let number = groupNames[name] else { throw error("the group '\(name)' does not exist") }
      output += "\\g{\(number)}"
      return true
    default:
      switch try escape(inClass: false) {
      case .scalar(let scalar): literal(scalar)
      case .nothing: output += "(?!)"
      case .set(let set): output += "[\(set)]"
      }
      return true
    }
  }

  private mutating func backReference() throws(RegexError) -> Bool {
    let start = index
    index += 1
    let text = digits() ?? ""
    if let number = Int(text), number <= groupCount, syntax != .interoperable {
      output += "\\g{\(number)}"
      return true
    }
    index = start
    if isStrict { throw error("\\\(text) refers to a group that does not exist") }
    index += 1
    literal(try octal() ?? scalars[index - 1])
    return true
  }

  /// Annex B: up to three octal digits, at most 0377; `\8` and `\9` are the digits themselves.
  private mutating func octal() throws(RegexError) -> Unicode.Scalar? {
    var value: UInt32 = 0
    var length = 0
    while length < 3, let scalar = peek(), ("0"..."7").contains(scalar), value * 8 + scalar.value - 48 < 256 {
      value = value * 8 + scalar.value - 48
      length += 1
      index += 1
    }
    if length == 0 {
      index += 1
      return nil
    }
    return Unicode.Scalar(value)
  }

  /// The common escapes of classes and atoms, starting at the backslash.
  mutating func escape(inClass: Bool) throws(RegexError) -> ECMAEscape {
    guard let scalar = peek(1) else { throw error("the pattern ends with a backslash") }
    if syntax == .interoperable, !"nrtpP-()*+.?[\\]^{|}".unicodeScalars.contains(scalar) {
      throw error("'\\\(scalar)' is not a valid escape in I-Regexp")
    }
    index += 2
    switch scalar {
    case "d": return .set("0-9")
    case "D": return .set("\\x{0}-\\x{2f}\\x{3a}-\\x{10ffff}")
    case "w": return .set("A-Za-z0-9_")
    case "W": return .set("\\x{0}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}\\x{7b}-\\x{10ffff}")
    case "s": return .set(Self.space)
    case "S": return .set(Self.notSpace)
    case "t": return .scalar("\t")
    case "n": return .scalar("\n")
    case "v": return .scalar("\u{B}")
    case "f": return .scalar("\u{C}")
    case "r": return .scalar("\r")
    case "p", "P":
      if isStrict || peek() == "{" { return .set(try property(negated: scalar == "P")) }
    case "c":
      if let letter = peek(), letter.properties.isAlphabetic, letter.isASCII {
        index += 1
        return .scalar(Unicode.Scalar(UInt8(letter.value % 32)))
      }
      if !isStrict {
        // Annex B: the backslash is a literal, and the c is read again.
        index -= 1
        return .scalar("\\")
      }
    case "0":
      if let next = peek(), ("0"..."9").contains(next) {
        if isStrict { throw error("a digit must not follow \\0") }
        index -= 1
        return .scalar(try octal() ?? "\0")
      }
      return .scalar("\0")
    case "x":
      if let value = hexadecimal(2), let result = Unicode.Scalar(value) { return .scalar(result) }
    case "u":
      if let result = try unicode() { return result }
    case "-" where inClass: return .scalar("-")
    default: break
    }
    if isStrict, !"^$\\.*+?()[]{}|/".unicodeScalars.contains(scalar), !(syntax == .interoperable && scalar == "-") {
      index -= 2
      throw error("'\\\(scalar)' is not a valid escape")
    }
    return .scalar(scalar)
  }

  mutating func hexadecimal(_ count: Int) -> UInt32? {
    guard index + count <= scalars.count else { return nil }
    var value: UInt32 = 0
    for scalar in scalars[index..<(index + count)] {
      guard let digit = Character(scalar).hexDigitValue, scalar.isASCII else { return nil }
      value = value << 4 | UInt32(digit)
    }
    index += count
    return value
  }

  /// `\uXXXX`, a pair of them, or `\u{X…}`; nil for anything else.
  private mutating func unicode() throws(RegexError) -> ECMAEscape? {
    if peek() == "{" {
      let start = index
      index += 1
      var value: UInt32 = 0
      var length = 0
      while let scalar = peek(), scalar.isASCII, let digit = Character(scalar).hexDigitValue {
        value = min(value << 4 | UInt32(digit), 0x110000)
        length += 1
        index += 1
      }
      if peek() == "}", length > 0, value <= 0x10FFFF {
        index += 1
        return Unicode.Scalar(value).map { .scalar($0) } ?? .nothing
      }
      index = start
      return nil
    }
    guard let first = hexadecimal(4) else { return nil }
    if let scalar = Unicode.Scalar(first) { return .scalar(scalar) }
    let behind = index
    if first < 0xDC00, skip("\\u"), let second = hexadecimal(4), (0xDC00..<0xE000).contains(second) {
      return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)).map { .scalar($0) }
    }
    index = behind
    return .nothing
  }

  /// Numbers the capturing groups and reads their names.
  mutating func countGroups() throws(RegexError) {
    var inClass = false
    while let scalar = peek() {
      switch scalar {
      case "\\": index += 1
      case "[": inClass = true
      case "]": inClass = false
      case "(" where !inClass:
        if peek(1) != "?" {
          groupCount += 1
        } else if peek(2) == "<", peek(3) != "=", peek(3) != "!" {
          groupCount += 1
          index += 3
          let name = try groupName()
          guard groupNames.updateValue(groupCount, forKey: name) == nil else {
            throw error("group name '\(name)' is used twice")
          }
          continue
        }
      default: break
      }
      index += 1
    }
    index = 0
  }

  /// `Name>` (RegExpIdentifierName). Moves the index after it.
  mutating func groupName() throws(RegexError) -> String {
    var name = ""
    while let scalar = peek(), scalar != ">" {
      let first = scalar == "$" || scalar == "_" || scalar.properties.isIDStart
      let later = first || scalar.properties.isIDContinue || scalar == "\u{200C}" || scalar == "\u{200D}"
      guard name.isEmpty ? first : later else { throw error("'\(scalar)' is not allowed in a group name") }
      name.unicodeScalars.append(scalar)
      index += 1
    }
    guard peek() == ">", !name.isEmpty else { throw error("the group name is empty or not closed") }
    index += 1
    return name
  }

  mutating func openGroup() throws(RegexError) {
    if syntax == .interoperable, follows("(?") { throw error("I-Regexp supports only plain groups") }
    if skip("(?:") {
      output += "(?:"
      enter(repeatable: true)
    } else if follows("(?=") || follows("(?!") {
      output += follows("(?=") ? "(?=" : "(?!"
      index += 3
      enter(repeatable: !isStrict)
    } else if follows("(?<=") || follows("(?<!") {
      output += follows("(?<=") ? "(?<=" : "(?<!"
      index += 4
      enter(repeatable: false)
    } else if skip("(?<") {
      _ = try groupName()
      output += "("
      enter(repeatable: true)
    } else if follows("(?") {
      throw error("'(?' does not start a valid group")
    } else {
      index += 1
      output += "("
      enter(repeatable: true)
    }
  }

  /// `{n}`, `{n,}` or `{n,m}`; in the legacy grammar any other `{` is a literal.
  mutating func brace(_ repeatable: Bool) throws(RegexError) -> Bool {
    let start = index
    index += 1
    guard let low = digits() else { return try loneBrace(start) }
    var high: String? = low
    if peek() == "," {
      index += 1
      high = digits()
    }
    guard peek() == "}" else { return try loneBrace(start) }
    guard repeatable else { throw error("there is nothing to repeat before '{'") }
    index += 1
    if let high, (high.count, high) < (low.count, low) {
      throw error("the bounds of a repetition are in the wrong order")
    }
    // PCRE2 counts to 65535. A larger upper bound is equivalent to none for real subjects; a larger lower bound is not.
    guard low.count < 6, Int(low) ?? 0 < 65536 else {
      throw RegexError(kind: .unsupported, pattern: source, offset: start, message: "a repetition count is above 65535")
    }
    let isOpen = high.map { $0.count > 5 || (Int($0) ?? 0) > 65535 } ?? true
    output += isOpen ? "{\(low),}" : low == high ? "{\(low)}" : "{\(low),\(high ?? "")}"
    lazyMark()
    return false
  }

  private mutating func loneBrace(_ start: Int) throws(RegexError) -> Bool {
    index = start
    if isStrict { throw error("'{' does not start a repetition; write '\\{'") }
    literal("{")
    index += 1
    return true
  }

  /// Decimal digits without leading zeros.
  mutating func digits() -> String? {
    var text = ""
    while let scalar = peek(), ("0"..."9").contains(scalar) {
      text.unicodeScalars.append(scalar)
      index += 1
    }
    if text.isEmpty { return nil }
    let stripped = text.drop { $0 == "0" }
    return stripped.isEmpty ? "0" : String(stripped)
  }
}
