import MurphyDocument
import MurphyJSON
import MurphyModel
import MurphyRegex

extension ScenarioReader {
  func path(_ node: MarkedValue, _ text: String) -> JSONPath? {
    do throws(JSONPathError) {
      return try JSONPath(text)
    } catch {
      let hint = text.hasPrefix("$") ? "" : "; a query begins with $, as $.data[*].id does"
      report(
        hint.isEmpty ? "not a JSONPath query: \(error.message)" : "not a JSONPath query\(hint)", in: node, anchor: text,
        offset: error.offset, width: 1)
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
        source = query(value, "a save").map { .body($0) }
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
      guard HeaderName.isValid(name) else {
        report("\"\(name)\" cannot be a cookie's name", at: node)
        return nil
      }
      return .cookie(name)
    }
    if let node = entries["link"], let relation = text(node, "a link") {
      guard !relation.isEmpty, !relation.contains(where: \.isWhitespace) else {
        report("a link is one relation, such as next; found \(found(node))", at: node)
        return nil
      }
      return .link(relation.lowercased())
    }
    if boolean(entries["status"], "status") == true { return .status }
    return entries.has("pattern") && !entries.has("status") ? .text : nil
  }

  /// A pattern, read as a JSON Schema's is.
  private func savePattern(_ entries: Entries) -> ECMAPattern? {
    guard let node = entries["pattern"], let text = text(node, "a pattern") else { return nil }
    if entries.has("status") { report("a status is a number, with no pattern", at: entries.keyNode("pattern")) }
    do throws(RegexError) {
      return try ECMAPattern(text, syntax: .legacy)
    } catch {
      report(
        "not a regular expression: \(error.message)", in: node, anchor: text, offset: error.offset, width: 1)
      return nil
    }
  }
}

extension Save.Source {
  /// Cookies are secrets wherever they are shown.
  fileprivate var isSecret: Bool { if case .cookie = self { true } else { false } }
}
