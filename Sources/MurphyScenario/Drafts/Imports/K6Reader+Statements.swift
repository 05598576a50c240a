import Foundation
import MurphySchema

extension K6Reader {
  /// The steps of a block.
  mutating func read(_ tokens: ArraySlice<K6Token>) -> [Step] {
    var steps: [Step] = []
    for statement in K6Tokens.statements(tokens) {
      if statement.first?.isWord("return") == true {
        if statement.count > 1 { leave(statement) }
        break
      }
      if let read = step(statement) { steps += read } else { leaveOpen(statement) }
    }
    return steps
  }

  /// Nil if the statement is not fully known.
  private mutating func step(_ statement: ArraySlice<K6Token>) -> [Step]? {
    guard let first = statement.first?.word else { return nil }
    switch first {
    case "console": return []
    case "for": return loop(statement)
    case "const", "let", "var": return declaration(statement.dropFirst())
    case "http": return call(statement).map { [.call($0)] }
    case "sleep": return pause(statement).map { [.think($0)] }
    case "check": return check(statement)
    case "group": return group(statement)
    default:
      let isAssignment = statement.dropFirst().first?.isSign("=") == true
      return isAssignment && expressions.known[first] != nil ? declaration(statement) : nil
    }
  }

  /// Lists a statement, and forgets the values that it may have changed.
  private mutating func leaveOpen(_ statement: ArraySlice<K6Token>) {
    leave(statement)
    let changed = K6Tokens.changed(statement)
    let isHarmless = ["http", "check"].contains(statement.first?.word ?? "")
    for name in statement.compactMap(\.word) {
      switch expressions.known[name] {
      // Any code that receives a list or an object may change it.
      case .array?, .object?: if !isHarmless || changed.contains(name) { expressions.known[name] = nil }
      default: if changed.contains(name) { expressions.known[name] = nil }
      }
    }
  }

  /// `name = …`
  private mutating func declaration(_ tokens: ArraySlice<K6Token>) -> [Step]? {
    guard let name = tokens.first?.word else { return nil }
    let rest = tokens.dropFirst()
    // A name that gets its value later.
    if rest.isEmpty {
      expressions.known[name] = .null
      return []
    }
    guard rest.first?.isSign("=") == true else { return nil }
    let value = rest.dropFirst()
    if value.first?.isWord("http") == true, let number = call(value) {
      expressions.known[name] = .answer(number)
      return [.call(number)]
    }
    expressions.known[name] = expressions.value(value)
    return expressions.known[name] == nil ? nil : []
  }

  /// `for (let i = 0; i < 3; i++) {…}`
  private mutating func loop(_ statement: ArraySlice<K6Token>) -> [Step]? {
    let head = statement.startIndex + 1
    guard head < statement.endIndex, statement[head].isSign("(") else { return nil }
    let end = K6Tokens.end(statement, from: head)
    let parts = K6Tokens.list(statement[(head + 1)..<min(end, statement.endIndex)], separator: ";").map(Array.init)
    guard parts.count == 3, end + 1 < statement.endIndex, statement[end + 1].isSign("{"), parts[0].count == 4,
      let name = parts[0][1].word, case .number("0") = parts[0][3].kind, parts[1].count == 3,
      parts[1][1].isSign("<"), case .number(let text) = parts[1][2].kind, let count = Int(text),
      (1...10_000).contains(count),
      parts[2].count == 2, parts[2].contains(where: { $0.isSign("++") }), parts[1][0].isWord(name)
    else { return nil }
    let known = expressions.known
    expressions.known[name] = .text("{{__index}}")
    let close = K6Tokens.end(statement, from: end + 1)
    let inner = read(statement[(end + 2)..<max(close, end + 2)])
    // The values that the iterations have changed are unknown after the loop.
    expressions.known = known.filter { name, _ in expressions.known[name] != nil }
    return inner.isEmpty ? [] : [.block(.repeated(count), inner)]
  }

  /// The arguments of `name(…)`, if nothing follows it.
  func arguments(_ statement: ArraySlice<K6Token>, behind words: Int) -> [ArraySlice<K6Token>]? {
    let start = statement.startIndex + words
    guard start < statement.endIndex, statement[start].isSign("(") else { return nil }
    let end = K6Tokens.end(statement, from: start)
    return end == statement.endIndex - 1 ? K6Tokens.list(statement[(start + 1)..<end]) : nil
  }

  /// `sleep(1)`, `sleep(Math.random() * 3 + 1)`, `sleep(randomIntBetween(1, 5))`
  private func pause(_ statement: ArraySlice<K6Token>) -> String? {
    guard let argument = arguments(statement, behind: 1)?.first else { return nil }
    func seconds(_ number: Double) -> String { Measured.text(number) + "s" }
    if let fixed = expressions.value(argument)?.double { return seconds(fixed) }
    let text = argument.map { token in
      switch token.kind {
      case .word(let text), .number(let text), .sign(let text): text
      default: "?"
      }
    }.joined()
    if let random = text.wholeMatch(of: /Math\.random\(\)(?:\*([0-9.]+))?(?:\+([0-9.]+))?/) {
      guard let width = Double(random.1 ?? "1"), let low = Double(random.2 ?? "0") else { return nil }
      return "\(seconds(low))..\(seconds(low + width))"
    }
    guard let between = text.wholeMatch(of: /randomIntBetween\(([0-9]+),([0-9]+)\)/) else { return nil }
    return "\(between.1)s..\(between.2)s"
  }

  /// `group('name', () => {…})`
  private mutating func group(_ statement: ArraySlice<K6Token>) -> [Step]? {
    guard let parts = arguments(statement, behind: 1), parts.count == 2,
      let name = expressions.value(parts[0])?.string, case .function(let tokens)? = expressions.value(parts[1])
    else { return nil }
    let known = expressions.known
    let inner = read(Self.body(tokens))
    expressions.known = expressions.known.filter { known[$0.key] != nil }
    return inner.isEmpty ? [] : [.block(.group(name), inner)]
  }

  /// `check(response, { 'is fine': (r) => r.status === 200 })`
  private mutating func check(_ statement: ArraySlice<K6Token>) -> [Step]? {
    guard let parts = arguments(statement, behind: 1), parts.count >= 2 else { return nil }
    var steps: [Step] = []
    let number: Int
    if let known = call(parts[0]) {
      number = known
      steps.append(.call(known))
    } else if case .answer(let known)? = expressions.value(parts[0]) {
      number = known
    } else {
      return nil
    }
    guard case .object(let checks)? = expressions.value(parts[1]) else {
      leave(parts[1])
      return steps
    }
    for check in checks {
      guard case .function(let tokens) = check.value, let status = Self.status(tokens) else {
        leave(statement, "the check \"\(check.key)\"")
        continue
      }
      if status >= 300, !calls[number].statuses.contains(status) { calls[number].statuses.append(status) }
    }
    return steps
  }

  /// The status in `(r) => r.status === 200`.
  private static func status(_ tokens: [K6Token]) -> Int? {
    var body = Array(body(tokens))
    if body.first?.isWord("return") == true { body.removeFirst() }
    if body.last?.isSign(";") == true { body.removeLast() }
    guard body.count == 5, body[1].isSign("."), body[2].isWord("status"), body[3].isSign("===") || body[3].isSign("=="),
      case .number(let text) = body[4].kind
    else { return nil }
    return Int(text)
  }
}
