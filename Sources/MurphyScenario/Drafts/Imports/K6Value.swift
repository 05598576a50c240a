import MurphySchema

/// The value of an expression, as far as it is known before the script runs.
indirect enum K6Value {
  /// A string in which `{{name}}` is a value that is only known at run time.
  case text(String)
  case number(JSONNumber)
  case bool(Bool)
  case null
  case array([K6Value])
  case object([(key: String, value: K6Value)])
  /// The string of a value, by `JSON.stringify`.
  case json(K6Value)
  /// The response to a call, by the call's number.
  case answer(Int)
  /// A field of a response body, by a JSONPath query.
  case member(Int, path: String)
  /// A function's parameters and body.
  case function([K6Token])

  subscript(key: String) -> K6Value? {
    if case .object(let members) = self { members.last { $0.key == key }?.value } else { nil }
  }

  var members: [(key: String, value: K6Value)] { if case .object(let members) = self { members } else { [] } }
  var items: [K6Value] { if case .array(let items) = self { items } else { [] } }
  var string: String? { if case .text(let text) = self { text } else { nil } }
  var double: Double? { if case .number(let number) = self { number.double } else { nil } }
  var int: Int? { if case .number(let number) = self { number.int } else { nil } }
}

/// Splits the tokens of a script by brackets and into statements.
enum K6Tokens {
  private static let closing = ["(": ")", "[": "]", "{": "}"]

  /// The maximum depth of brackets. Deeper levels are not read, because each level is read again with all its contents.
  static let deepest = 100

  static func isTooDeep(_ tokens: ArraySlice<K6Token>) -> Bool {
    var open = 0
    for token in tokens {
      guard case .sign(let sign) = token.kind else { continue }
      if closing[sign] != nil { open += 1 }
      if closing.values.contains(sign) { open -= 1 }
      if open > deepest { return true }
    }
    return false
  }

  /// The index at which the bracket at `start` is closed; the end if it is not closed.
  static func end(_ tokens: ArraySlice<K6Token>, from start: Int) -> Int {
    var open = 0
    for index in start..<tokens.endIndex {
      guard case .sign(let sign) = tokens[index].kind else { continue }
      if closing[sign] != nil { open += 1 }
      if closing.values.contains(sign) { open -= 1 }
      if open <= 0 { return index }
    }
    return tokens.endIndex
  }

  /// The parts between commas, outside all brackets.
  static func list(_ tokens: ArraySlice<K6Token>, separator: String = ",") -> [ArraySlice<K6Token>] {
    var parts: [ArraySlice<K6Token>] = []
    var start = tokens.startIndex
    var index = start
    while index < tokens.endIndex {
      if case .sign(let sign) = tokens[index].kind {
        if closing[sign] != nil {
          index = end(tokens, from: index)
        } else if sign == separator {
          parts.append(tokens[start..<index])
          start = index + 1
        }
      }
      index += 1
    }
    if start < tokens.endIndex { parts.append(tokens[start...]) }
    return parts
  }

  /// Names to which `tokens` assign a value after the declaration.
  static func changed(_ tokens: ArraySlice<K6Token>) -> Set<String> {
    var names: Set<String> = []
    var words: (line: Int, names: Set<String>)?
    for index in tokens.indices {
      guard case .sign(let sign) = tokens[index].kind else { continue }
      let isStep = sign == "++" || sign == "--"
      guard isStep || sign.hasSuffix("=") && !["==", "===", "!=", "!==", "<=", ">="].contains(sign) else { continue }
      if isStep, index + 1 < tokens.endIndex, let name = tokens[index + 1].word { names.insert(name) }
      guard index > tokens.startIndex else { continue }
      let before = tokens[index - 1]
      if let name = before.word {
        let declares = index - 2 >= tokens.startIndex && ["const", "let", "var"].contains(tokens[index - 2].word ?? "")
        if !declares { names.insert(name) }
      } else if before.isSign("]") || before.isSign("}") {
        // Destructuring or several names at once: all names of the line.
        if words?.line != before.line {
          let start = tokens[..<index].lastIndex { $0.line != before.line }.map { $0 + 1 } ?? tokens.startIndex
          words = (before.line, Set(tokens[start...].prefix { $0.line == before.line }.compactMap(\.word)))
          names.formUnion(words?.names ?? [])
        }
      }
    }
    // `params.headers.Host = …` changes `params`.
    var start = tokens.startIndex
    for index in tokens.indices {
      guard let word = tokens[index].word else { continue }
      let isMember = index - 2 >= tokens.startIndex && tokens[index - 1].isSign(".") && tokens[index - 2].word != nil
      if !isMember { start = index }
      if names.contains(word), let name = tokens[start].word { names.insert(name) }
    }
    return names
  }

  /// Statements. A statement ends at a semicolon, at the brace of a block, or at the end of a line without a
  /// continuation.
  static func statements(_ tokens: ArraySlice<K6Token>) -> [ArraySlice<K6Token>] {
    var statements: [ArraySlice<K6Token>] = []
    var start = tokens.startIndex
    var index = start
    func close(_ end: Int) { if start < end { statements.append(tokens[start..<end]) } }
    while index < tokens.endIndex {
      let isBlock = isBlock(tokens[start...])
      if index > start, !isBlock, tokens[index].line > tokens[index - 1].line, ends(tokens[index - 1], tokens[index]) {
        close(index)
        start = index
        continue
      }
      if case .sign(let sign) = tokens[index].kind {
        if closing[sign] != nil {
          let isBody = sign == "{" && isBlock
          index = min(end(tokens, from: index), tokens.endIndex - 1)
          let next = index + 1 < tokens.endIndex ? tokens[index + 1].word : nil
          if isBody, !["else", "catch", "finally"].contains(next ?? "") {
            close(index + 1)
            start = index + 1
          }
        } else if sign == ";" {
          close(index)
          start = index + 1
        }
      }
      index += 1
    }
    close(tokens.endIndex)
    return statements
  }

  /// True if a statement ends with the brace of its block.
  private static func isBlock(_ tokens: ArraySlice<K6Token>) -> Bool {
    let words = tokens.prefix(4).map(\.word).drop { ["export", "default", "async"].contains($0 ?? "") }
    return ["for", "if", "while", "function", "try", "switch", "do", "class"].contains(
      words.first.flatMap(\.self) ?? "")
  }

  /// True if a statement may end between two lines (ECMA-262 §12.10).
  private static func ends(_ last: K6Token, _ next: K6Token) -> Bool {
    if case .sign(let sign) = last.kind, ![")", "]", "}"].contains(sign) { return false }
    if case .sign(let sign) = next.kind, !["{", "++", "--"].contains(sign) { return false }
    if case .template = next.kind { return false }
    return true
  }
}
