import MurphyModel
import MurphySchema

/// Writes steps as YAML: two spaces for each level, values in JSON notation.
struct DraftText {
  private var lines: [String] = []

  /// All lines. Some characters are escaped as in JSON and YAML: `\u0085`. YAML forbids some of them (§5.1). Others are
  /// line breaks only for some readers, or change the direction of the text. They occur only in quoted strings and
  /// comments.
  var text: String {
    var text = ""
    for scalar in (lines.joined(separator: "\n") + "\n").unicodeScalars {
      switch scalar.value {
      case 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  mutating func add(_ line: String) { lines.append(line) }

  /// A comment of one line for any text. The author of the text cannot add a line to the scenario.
  mutating func add(comment text: String) { lines.append("# " + Self.line(text)) }

  /// The text with blanks in place of control characters and line breaks, so that it stays on one line.
  static func line(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      let isBreak = scalar.value < 0x20 || [0x7F, 0x85, 0x2028, 0x2029].contains(scalar.value)
      line.unicodeScalars.append(isBreak ? " " : scalar)
    }
    return line
  }

  mutating func write(_ steps: [DraftedStep], indent: Int) {
    for step in steps { write(step, indent: indent) }
  }

  private mutating func write(_ step: DraftedStep, indent: Int) {
    let margin = String(repeating: " ", count: indent)
    switch step {
    case .think(let pause): lines.append("\(margin)- think: \(pause)")
    case .set(let name, let expression): lines.append("\(margin)- set: { \(name): \(Self.quoted("${\(expression)}")) }")
    case .block(let block, let steps):
      switch block {
      case .pick(_, let list): lines.append("\(margin)- if: ${count(\(list)) > 0}")
      case .given(let name): lines.append("\(margin)- if: ${\(name) != null}")
      case .group(let name): lines.append("\(margin)- group: \(Self.word(name))")
      case .repeated(let count): lines.append("\(margin)- repeat: \(count)")
      }
      lines.append("\(margin)  steps:")
      if case .pick(let item, let list) = block {
        lines.append("\(margin)    - set: { \(item): \"${pick(\(list))}\" }")
      }
      write(steps, indent: indent + 4)
    case .call(let call): write(call, margin)
    }
  }

  private mutating func write(_ call: DraftedCall, _ margin: String) {
    let comment = call.comment.map { " # \(Self.line($0))" } ?? ""
    let callee =
      call.request.map { "{ method: \(Self.word($0.method)), url: \(Self.quoted($0.url)) }" }
      ?? Self.word(call.operation)
    lines.append("\(margin)- call: \(callee)\(comment)")
    func pairs(_ key: String, _ values: [(name: String, value: DraftedValue)]) {
      guard !values.isEmpty else { return }
      let text = values.map { "\(Self.word($0.name)): \(Self.text($0.value))" }.joined(separator: ", ")
      lines.append("\(margin)  \(key): { \(text) }")
    }
    pairs("path", call.path)
    pairs("query", call.query)
    pairs("headers", call.headers)
    pairs("cookies", call.cookies)
    switch call.body {
    case .json(let value, let type)?:
      lines.append("\(margin)  body: \(value.text)")
      if let type { lines.append("\(margin)  content-type: \(Self.literal(word: type))") }
    case .form(let members)?:
      let fields = members.members.map { "\(Self.word($0.key)): \($0.value.text)" }
      lines.append("\(margin)  form: { \(fields.joined(separator: ", ")) }")
    case .text(let text, let type)?:
      lines.append("\(margin)  text: \(Self.quoted(text))")
      if let type { lines.append("\(margin)  content-type: \(Self.literal(word: type))") }
    case .multipart(let parts)?: write(parts, margin)
    case nil: break
    }
    writeExpectations(of: call, margin)
    guard !call.saves.isEmpty else { return }
    let saves = call.saves.map { save in
      let ending = save.isOptional ? ", default: null }" : " }"
      return switch save.source {
      case .body(let path) where !save.isOptional: "\(save.name): \(Self.quoted(path))"
      case .body(let path): "\(save.name): { path: \(Self.quoted(path))\(ending)"
      case .header(let name): "\(save.name): { header: \(Self.word(name))\(ending)"
      }
    }
    lines.append("\(margin)  save: { \(saves.joined(separator: ", ")) }")
  }

  private mutating func writeExpectations(of call: DraftedCall, _ margin: String) {
    var parts: [String] = []
    if !call.only.isEmpty {
      parts.append("status: [\(call.only.joined(separator: ", "))]")
    } else if !call.statuses.isEmpty || call.success != "2XX" {
      let statuses = [call.success] + call.statuses.map(String.init)
      parts.append("status: \(statuses.count == 1 ? call.success : "[\(statuses.joined(separator: ", "))]")")
    }
    if !call.finds.isEmpty {
      let finds = call.finds.map { find in
        "\(Self.quoted(find.path)): \(find.value.map { "{ equals: \(Self.literal($0)) }" } ?? "present")"
      }
      parts.append("body: { \(finds.joined(separator: ", ")) }")
    }
    if call.goesOn, !parts.isEmpty { parts.append("on-failure: continue") }
    if !parts.isEmpty { lines.append("\(margin)  expect: { \(parts.joined(separator: ", ")) }") }
    if call.goesOn, parts.isEmpty { lines.append("\(margin)  on: { 4XX: continue, 5XX: continue }") }
  }

  private mutating func write(_ parts: [DraftedPart], _ margin: String) {
    lines.append("\(margin)  multipart:")
    var names: [String] = []
    for part in parts where !names.contains(part.name) {
      names.append(part.name)
      let same = parts.filter { $0.name == part.name }.map(Self.text)
      lines.append(
        "\(margin)    \(Self.word(part.name)): \(same.count > 1 ? "[\(same.joined(separator: ", "))]" : same[0])"
          + (parts.contains { $0.name == part.name && $0.fileName != nil }
            ? " # or { file: PATH } with your own file" : ""))
    }
  }

  private static func text(_ part: DraftedPart) -> String {
    if part.fileName == nil, part.type == nil, part.value.array == nil, part.value.object == nil {
      return part.value.text
    }
    let name = part.fileName.map { ", name: \(literal(.string($0)))" } ?? ""
    return "{ value: \(part.value.text)\(name)\(part.type.map { ", type: \(literal(word: $0))" } ?? "") }"
  }

  private static func text(_ value: DraftedValue) -> String {
    switch value {
    case .variable(let name): "\"${\(name)}\""
    case .constant(let value): literal(value)
    case .template(let text): quoted(text)
    }
  }

  /// A literal value: `${` in it does not begin an expression.
  static func literal(_ value: JSONValue) -> String { value.text.literal }

  static func literal(word text: String) -> String { word(text.literal) }

  /// A word without quotes, or with quotes if YAML would read it differently.
  static func word(_ text: String) -> String {
    let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    let isPlain = text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_\/.+-]*/) != nil && !words.contains(text.lowercased())
    return isPlain ? text : quoted(text)
  }

  static func quoted(_ text: String) -> String { JSONValue.string(text).text }
}
