/// Quotes, escapes and variables in the words of a shell script.
extension ShellWords {
  mutating func readQuoted() { append(readUntil("'")) }

  mutating func readDoubleQuoted() {
    append("")
    let start = line
    while let character = next() {
      switch character {
      case "\"": return
      case "\\":
        guard let escaped = next(), escaped != "\n" else { continue }
        append("\"\\$`".contains(escaped) ? String(escaped) : "\\\(escaped)")
      case "$": readVariable(quoted: true)
      case "`": substitute(readUntil("`"))
      default: append(character)
      }
    }
    unended = unended ?? start
  }

  /// `$NAME`, `${NAME:-default}`, `$(command)`, `$'text'`
  mutating func readVariable(quoted: Bool) {
    if !quoted, take("'") { return readEscaped() }
    if take("{") {
      let name = readUntil("}").prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      return append(name.isEmpty ? "" : "{{\(name)}}")
    }
    if take("(") {
      let start = line
      var depth = 1
      var inner = ""
      while depth > 0, let character = next() {
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
        if depth > 0 { inner.append(character) }
      }
      if depth > 0 { unended = unended ?? start }
      return substitute(inner)
    }
    var name = ""
    while let character = peek(), character.isASCII, character.isLetter || character.isNumber || character == "_" {
      name.append(character)
      index += 1
    }
    append(name.isEmpty ? "$" : "{{\(name)}}")
  }

  /// `$'it\'s'`: escapes as in C.
  private mutating func readEscaped() {
    append("")
    let start = line
    while let character = next() {
      if character == "'" { return }
      guard character == "\\", let escaped = next() else {
        append(character)
        continue
      }
      switch escaped {
      case "n": append("\n")
      case "t": append("\t")
      case "r": append("\r")
      case "x": readScalar(2)
      case "u": readScalar(4)
      case "U": readScalar(8)
      default: append(escaped)
      }
    }
    unended = unended ?? start
  }

  private mutating func readScalar(_ most: Int) {
    let digits = text[index...].prefix(most).prefix(while: \.isHexDigit)
    index += digits.count
    guard let code = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(code) else { return }
    append(Character(scalar))
  }
}
