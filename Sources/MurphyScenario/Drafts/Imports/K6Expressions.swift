import MurphySchema

/// Values of expressions, as far as they are known before a script runs. Nothing is executed.
struct K6Expressions {
  /// Names that a script has given to values, in the current block.
  var known: [String: K6Value] = [:]
  /// The name of a variable for a field of a response.
  private let name: (_ call: Int, _ path: String) -> String

  init(_ name: @escaping (_ call: Int, _ path: String) -> String) { self.name = name }

  /// Nil if the expression is not fully known.
  func value(_ tokens: ArraySlice<K6Token>) -> K6Value? {
    if let function = Self.function(tokens) { return function }
    // __ENV.HOST || "http://127.0.0.1"
    for sign in ["||", "??"] {
      let choices = K6Tokens.list(tokens, separator: sign)
      if choices.count == 2, choices[0].first?.isWord("__ENV") == true { return value(choices[1]) }
      if choices.count > 1 { return nil }
    }
    let terms = K6Tokens.list(tokens, separator: "+")
    guard terms.count > 1 else { return term(tokens) }
    var text = ""
    var isText = false
    for term in terms {
      guard let value = self.term(term), let part = self.text(value) else { return nil }
      if case .text = value { isText = true }
      text += part
      guard text.utf8.count <= Self.longestText else { return nil }
    }
    return isText ? .text(text) : nil
  }

  /// `(r) => …`, `r => …`, `function (r) {…}`
  private static func function(_ tokens: ArraySlice<K6Token>) -> K6Value? {
    guard let first = tokens.first else { return nil }
    let rest = first.isWord("async") ? tokens.dropFirst() : tokens
    if rest.first?.isWord("function") == true { return .function(Array(rest)) }
    let head = rest.first?.isSign("(") == true ? K6Tokens.end(rest, from: rest.startIndex) : rest.startIndex
    return head + 1 < rest.endIndex && rest[head + 1].isSign("=>") ? .function(Array(rest)) : nil
  }

  /// The value as part of a string.
  func text(_ value: K6Value) -> String? {
    switch value {
    case .text(let text): text
    case .number(let number): number.text
    case .bool(let value): value ? "true" : "false"
    case .member(let call, let path): "{{\(name(call, path))}}"
    case .json(let value): json(value).map(\.text).flatMap { $0.utf8.count <= Self.longestText ? $0 : nil }
    case .null, .array, .object, .answer, .function: nil
    }
  }

  /// The maximum bytes of a concatenated string: nested constants would grow without bound.
  private static let longestText = 1 << 20
  /// The maximum values of a JSON document, for the same reason.
  private static let mostValues = 100_000

  /// The value as part of a JSON document.
  func json(_ value: K6Value) -> JSONValue? {
    var room = Self.mostValues
    return json(value, &room)
  }

  private func json(_ value: K6Value, _ room: inout Int) -> JSONValue? {
    room -= 1
    guard room >= 0 else { return nil }
    switch value {
    case .text, .member, .json: return text(value).map { .string($0) }
    case .number(let number): return .number(number)
    case .bool(let value): return .bool(value)
    case .null: return .null
    case .array(let items):
      var copy: [JSONValue] = []
      for item in items {
        guard let value = json(item, &room) else { return nil }
        copy.append(value)
      }
      return .array(copy)
    case .object(let members):
      var copy = JSONObject()
      for (key, member) in members {
        guard let value = json(member, &room) else { return nil }
        copy[key] = value
      }
      return .object(copy)
    case .answer, .function: return nil
    }
  }

  private func term(_ tokens: ArraySlice<K6Token>) -> K6Value? {
    guard let first = tokens.first else { return nil }
    let rest = tokens.dropFirst()
    switch first.kind {
    case .string(let text): return rest.isEmpty ? .text(text) : nil
    case .template(let parts): return rest.isEmpty ? template(parts) : nil
    case .number(let text): return rest.isEmpty ? JSONNumber(text: text).map { .number($0) } : nil
    case .sign("-"):
      guard case .number(let text)? = rest.first?.kind, rest.count == 1 else { return nil }
      return JSONNumber(text: "-" + text).map { .number($0) }
    case .sign("("), .sign("["), .sign("{"):
      guard K6Tokens.end(tokens, from: tokens.startIndex) == tokens.endIndex - 1 else { return nil }
      let inner = rest.dropLast()
      if first.isSign("(") { return value(inner) }
      return first.isSign("[") ? array(inner) : object(inner)
    case .word(let word): return named(word, rest)
    default: return nil
    }
  }

  private func template(_ parts: [K6TemplatePart]) -> K6Value? {
    var text = ""
    for part in parts {
      switch part {
      case .text(let known): text += known
      case .expression(let tokens):
        guard let value = value(tokens[...]), let known = self.text(value) else { return nil }
        text += known
        guard text.utf8.count <= Self.longestText else { return nil }
      }
    }
    return .text(text)
  }

  private func array(_ tokens: ArraySlice<K6Token>) -> K6Value? {
    var items: [K6Value] = []
    for part in K6Tokens.list(tokens) {
      guard let value = value(part) else { return nil }
      items.append(value)
    }
    return .array(items)
  }

  private func object(_ tokens: ArraySlice<K6Token>) -> K6Value? {
    var members: [(key: String, value: K6Value)] = []
    for part in K6Tokens.list(tokens) {
      guard let first = part.first else { continue }
      let key: String
      switch first.kind {
      case .word(let word): key = word
      case .string(let text): key = text
      case .number(let text): key = text
      default: return nil
      }
      let rest = part.dropFirst()
      // { id } is { id: id }.
      let written = rest.first?.isSign(":") == true ? rest.dropFirst() : rest.isEmpty ? part : []
      guard let value = value(written) else { return nil }
      members.append((key, value))
    }
    return .object(members)
  }

  private func named(_ word: String, _ rest: ArraySlice<K6Token>) -> K6Value? {
    switch word {
    case "true", "false": return rest.isEmpty ? .bool(word == "true") : nil
    case "null", "undefined": return rest.isEmpty ? .null : nil
    case "__VU", "__ITER": return rest.isEmpty ? .text("{{\(word)}}") : nil
    case "__ENV":
      guard rest.count == 2, rest.first?.isSign(".") == true, let name = rest.last?.word else { return nil }
      return .text("{{\(name)}}")
    case "uuidv4", "Date":
      let words = rest.map { token in if case .sign(let sign) = token.kind { sign } else { token.word ?? "?" } }
        .joined()
      return [("uuidv4", "()"), ("Date", ".now()")].contains { $0 == (word, words) } ? .text("{{\(word)}}") : nil
    case "JSON": return jsonCall(rest)
    default: return known[word].flatMap { walk($0, rest) }
    }
  }

  /// `JSON.stringify(…)`, `JSON.parse(answer.body)`
  private func jsonCall(_ rest: ArraySlice<K6Token>) -> K6Value? {
    guard rest.first?.isSign(".") == true, let method = rest.dropFirst().first?.word,
      rest.dropFirst(2).first?.isSign("(") == true
    else { return nil }
    let start = rest.startIndex + 2
    let end = K6Tokens.end(rest, from: start)
    guard end < rest.endIndex else { return nil }
    let inner = rest[(start + 1)..<end]
    if method == "stringify" { return end == rest.endIndex - 1 ? value(inner).map { .json($0) } : nil }
    guard method == "parse", inner.count == 3, inner.last?.isWord("body") == true, let name = inner.first?.word,
      case .answer(let call)? = known[name]
    else { return nil }
    return walk(.member(call, path: "$"), rest[(end + 1)...])
  }

  /// Fields of a value: `.data[0].id`, and of a response `.json().id`, `.json("data.0.id")`.
  private func walk(_ value: K6Value, _ rest: ArraySlice<K6Token>) -> K6Value? {
    guard let first = rest.first else { return value }
    if first.isSign("."), let name = rest.dropFirst().first?.word {
      let behind = rest.dropFirst(2)
      if case .answer(let call) = value {
        guard name == "json", behind.first?.isSign("(") == true else { return nil }
        let end = K6Tokens.end(behind, from: behind.startIndex)
        guard end < behind.endIndex, let path = Self.path(behind[(behind.startIndex + 1)..<end]) else { return nil }
        return walk(.member(call, path: path), behind[(end + 1)...])
      }
      return member(value, name).flatMap { walk($0, behind) }
    }
    guard first.isSign("[") else { return nil }
    let end = K6Tokens.end(rest, from: rest.startIndex)
    guard end == rest.startIndex + 2, end < rest.endIndex else { return nil }
    let behind = rest[(end + 1)...]
    switch rest[rest.startIndex + 1].kind {
    case .string(let name): return member(value, name).flatMap { walk($0, behind) }
    case .number(let text):
      guard let index = Int(text) else { return nil }
      if case .member(let call, let path) = value { return walk(.member(call, path: path + "[\(index)]"), behind) }
      return value.items.indices.contains(index) ? walk(value.items[index], behind) : nil
    default: return nil
    }
  }

  private func member(_ value: K6Value, _ name: String) -> K6Value? {
    if case .member(let call, let path) = value {
      // `length` and methods are not fields.
      return name == "length" ? nil : .member(call, path: path + Producers.step(name))
    }
    return value[name]
  }

  /// A gjson path, as k6's `json()` takes it: names and numbers separated by dots.
  private static func path(_ tokens: ArraySlice<K6Token>) -> String? {
    guard let first = tokens.first else { return "$" }
    guard case .string(let text) = first.kind, tokens.count == 1,
      text.wholeMatch(of: /[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*/) != nil
    else { return nil }
    return "$" + text.split(separator: ".").map { Int($0).map { "[\($0)]" } ?? Producers.step(String($0)) }.joined()
  }
}
