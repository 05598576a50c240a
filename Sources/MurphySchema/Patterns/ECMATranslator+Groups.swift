extension ECMATranslator {
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
      guard name.isEmpty ? first : later else { throw error("'\(scalar)' in a group name") }
      name.unicodeScalars.append(scalar)
      index += 1
    }
    guard peek() == ">", !name.isEmpty else { throw error("a group name that is empty or does not end") }
    index += 1
    return name
  }

  mutating func openGroup() throws(RegexError) {
    if syntax == .interoperable, follows("(?") { throw error("I-Regexp has plain groups only") }
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
      throw error("'(?' that starts no group")
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
    guard repeatable else { throw error("nothing to repeat before '{'") }
    index += 1
    if let high, (high.count, high) < (low.count, low) { throw error("a repetition with its bounds out of order") }
    // PCRE2 counts to 65535. A larger upper bound is equivalent to none for real subjects; a larger lower bound is not.
    guard low.count < 6, Int(low) ?? 0 < 65536 else {
      throw RegexError(kind: .unsupported, pattern: source, offset: start, message: "a repetition of more than 65535")
    }
    let isOpen = high.map { $0.count > 5 || (Int($0) ?? 0) > 65535 } ?? true
    output += isOpen ? "{\(low),}" : low == high ? "{\(low)}" : "{\(low),\(high ?? "")}"
    lazyMark()
    return false
  }

  private mutating func loneBrace(_ start: Int) throws(RegexError) -> Bool {
    index = start
    if isStrict { throw error("'{' that starts no repetition; write '\\{'") }
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
