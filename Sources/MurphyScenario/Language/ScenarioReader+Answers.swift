import MurphyContract
import MurphyModel
import MurphySchema

extension ScenarioReader {
  func path(_ node: MarkedValue, _ text: String) -> JSONPath? {
    do throws(JSONPathError) {
      return try JSONPath(text)
    } catch {
      let hint = text.hasPrefix("$") ? "" : ": a JSONPath query begins with $, as in $.data[*].id"
      report(
        hint.isEmpty ? "not a JSONPath query: \(error.message)" : "not a JSONPath query\(hint)", in: node, anchor: text,
        offset: error.offset)
      return nil
    }
  }

  func query(_ node: MarkedValue?, _ what: String) -> JSONPath? {
    guard let node, let text = text(node, what) else { return nil }
    return path(node, text)
  }

  func saves(_ node: MarkedValue?) -> [Save] {
    mapping(node, "save").compactMap { name, keyNode, value in
      let source: Save.Source?
      var entries: Entries?
      if case .scalar = value.content {
        source = query(value, "a saved value").map { .body($0) }
      } else {
        entries = self.entries(value, .save)
        source = entries.flatMap(saveSource)
      }
      let pattern = entries.flatMap(savePattern)
      let fallback = template(entries?["default"])
      let isSecret = boolean(entries?["secret"], "secret") ?? false
      guard let variable = newVariable(name, at: keyNode) else { return nil }
      saved.append((variable, keyNode))
      return source.map {
        Save(
          variable: variable, source: $0, pattern: pattern, fallback: fallback, isSecret: isSecret || $0.isSecret,
          mark: sourceMark(keyNode))
      }
    }
  }

  private func saveSource(_ entries: Entries) -> Save.Source? {
    if entries.has("path") { return query(entries["path"], "a path").map { .body($0) } }
    if let node = entries["header"], let name = text(node, "a header") {
      return checkHeaderName(name, at: node) ? .header(name) : nil
    }
    if let node = entries["cookie"], let name = text(node, "a cookie") {
      guard HeaderName.isValid(name) else { return refuse("\"\(name)\" is not a valid cookie name", at: node) }
      return .cookie(name)
    }
    if let node = entries["link"], let relation = text(node, "a link") {
      guard !relation.isEmpty, !relation.contains(where: \.isWhitespace) else {
        return refuse("\"link\" must be the name of one link relation, such as next; found \(found(node))", at: node)
      }
      return .link(relation.lowercased())
    }
    if boolean(entries["status"], "status") == true { return .status }
    return entries.has("pattern") && !entries.has("status") ? .text : nil
  }

  /// A pattern, with the rules of a JSON Schema pattern.
  private func savePattern(_ entries: Entries) -> ECMAPattern? {
    guard let node = entries["pattern"], let text = text(node, "a pattern") else { return nil }
    if entries.has("status") {
      report(
        "\"pattern\" is not allowed with status: true, because a status is a number; remove the pattern",
        at: entries.keyNode("pattern"))
    }
    do throws(RegexError) {
      return try ECMAPattern(text, syntax: .legacy)
    } catch {
      report(
        "not a regular expression: \(error.message)", in: node, anchor: text, offset: error.offset)
      return nil
    }
  }
}

extension Save.Source {
  /// Cookies are secrets in every output.
  fileprivate var isSecret: Bool { if case .cookie = self { true } else { false } }
}

extension ScenarioReader {
  /// `expect:` of a call.
  func checks(_ node: MarkedValue?) -> AnswerChecks {
    var checks = AnswerChecks()
    guard let node, let entries = entries(node, .check) else { return checks }
    if let status = entries["status"] {
      checks.statuses = status.items.compactMap { node in text(node, "a status").flatMap { statusPattern($0, at: node) }
      }
      checks.statusMark = sourceMark(status)
    }
    checks.body = mapping(entries["body"], "body").flatMap { query, keyNode, value in
      guard let path = path(keyNode, query) else { return [AnswerChecks.BodyCheck]() }
      return conditions(value).map { AnswerChecks.BodyCheck(path: path, condition: $0, mark: sourceMark(keyNode)) }
    }
    checks.headers = mapping(entries["headers"], "headers").flatMap { name, keyNode, value in
      guard checkHeaderName(name, at: keyNode) else { return [AnswerChecks.HeaderCheck]() }
      return headerConditions(value).map {
        AnswerChecks.HeaderCheck(name: name, condition: $0, mark: sourceMark(keyNode))
      }
    }
    checks.claims = claims(entries["that"])
    checks.onFailure = choice(entries["on-failure"], "on-failure", AnswerChecks.OnFailure.self) ?? .end
    if entries.has("on-failure"), checks.isEmpty {
      report("\"on-failure\" needs another key of \"expect\", such as \"status\"", at: entries.keyNode("on-failure"))
    }
    return checks
  }

  /// One expression, or a list of them.
  private func claims(_ node: MarkedValue?) -> [AnswerChecks.Claim] {
    guard let node else { return [] }
    // It reads only this response, so no other response has to be kept for it.
    let before = flow.readsAnswer
    defer { flow.readsAnswer = before }
    return node.items.compactMap { node in
      guard let formula = condition(node, "that") else { return nil }
      if formula.expression.isConstant {
        report(
          "the value of this expression is always \(Self.constant(formula)); write an expression that reads the "
            + "response", at: node)
      }
      return AnswerChecks.Claim(formula: formula, mark: sourceMark(node))
    }
  }

  private static func constant(_ formula: Formula) -> String {
    if case .literal(let value) = formula.expression { value.text } else { "the same" }
  }

  /// A header's value is a string.
  private func headerConditions(_ node: MarkedValue) -> [ValueCondition] {
    if case .object = node.content { return conditions(node) }
    if let word = presence(node) { return [word] }
    return textTemplate(node, "a header's value").map { [.equals($0)] } ?? []
  }

  /// A value, one of the words `present` and `absent`, or a mapping of conditions that must all hold.
  private func conditions(_ node: MarkedValue) -> [ValueCondition] {
    if let word = presence(node) { return [word] }
    guard isCondition(node) else { return template(node).map { [.equals($0)] } ?? [] }
    guard let entries = entries(node, .condition) else { return [] }
    var conditions: [ValueCondition] = []
    if let value = template(entries["equals"]) { conditions.append(.equals(value)) }
    if let isThere = boolean(entries["present"], "present") {
      conditions.append(.present(isThere))
      if !isThere, entries.values.count > 1 {
        report(
          "with present: false, no other condition is allowed; remove the other conditions",
          at: entries.keyNode("present"))
      }
    }
    if let schema = typeSchema(entries["type"]) { conditions.append(.conforms(schema)) }
    if let node = entries["pattern"], let pattern = text(node, "a pattern") {
      conditions.append(
        .conforms(
          InlineSchema(
            value: ["type": "string", "pattern": .string(pattern)], text: "to match the pattern \(pattern)",
            mark: sourceMark(node), marks: [:])))
    }
    if let node = entries["schema"] { conditions.append(.conforms(schema(node))) }
    return conditions
  }

  /// The unquoted words; in quotes they are ordinary strings.
  private func presence(_ node: MarkedValue) -> ValueCondition? {
    guard case .scalar(let scalar) = node.content, !scalar.isQuoted else { return nil }
    switch scalar.text {
    case "present": return .present(true)
    case "absent": return .present(false)
    default: return nil
    }
  }

  /// True if a mapping contains conditions, false if it is the expected object. It contains conditions if all its keys
  /// are condition keys. It also does if another key is most likely a misspelt one.
  private func isCondition(_ node: MarkedValue) -> Bool {
    guard case .object = node.content else { return false }
    let known = Vocabulary.condition.keys.map(\.name)
    let names = pairs(node).map(\.key)
    let others = names.filter { !known.contains($0) }
    guard others.count < names.count else { return false }
    return others.isEmpty || others.contains { nearestName(to: $0, among: known) != nil }
  }

  private static let types = ["string", "number", "integer", "boolean", "array", "object", "null"]

  private func typeSchema(_ node: MarkedValue?) -> InlineSchema? {
    guard let node else { return nil }
    let nodes = node.items
    let names = nodes.compactMap { node -> String? in
      // YAML reads an unquoted null as no value.
      if node.scalarValue == .null { return "null" }
      if let text = node.scalarText, Self.types.contains(text) { return text }
      let hint = suggestion(node.scalarText ?? "", Self.types)
      return refuse(
        "a type must be one of \(Self.types.joined(separator: ", ")); found \(found(node))"
          + (hint.isEmpty ? "." : hint) + " To compare with an object, write { equals: { … } }", at: node)
    }
    guard names.count == nodes.count, !names.isEmpty else { return nil }
    return InlineSchema(
      value: ["type": .array(names.map { .string($0) })], text: "to be of type \(names.joined(separator: " or "))",
      mark: sourceMark(node), marks: [:])
  }

  private func schema(_ node: MarkedValue) -> InlineSchema {
    var marks: [String: SourceMark] = [:]
    forEachPart(of: node) { part, pointer in
      marks[pointer.description] = sourceMark(part)
      return true
    }
    return InlineSchema(
      value: node.value, text: "to conform to its schema", mark: sourceMark(node), marks: marks)
  }
}
