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
