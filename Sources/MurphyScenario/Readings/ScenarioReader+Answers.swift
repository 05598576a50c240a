import MurphyJSON
import MurphyModel
import Yams

extension ScenarioReader {
  func path(_ node: Node, _ text: String) -> JSONPath? {
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

  func saves(_ node: Node?) -> [Save] {
    guard let node else { return [] }
    return mapping(node, "save").compactMap { name, keyNode, value in
      let source: Save.Source?
      var fallback: Template?
      if case .scalar = value {
        source = text(value, "a save").flatMap { path(value, $0) }.map { .body($0) }
      } else if let entries = entries(value, .save) {
        source = saveSource(entries)
        fallback = template(entries["default"])
      } else {
        source = nil
      }
      guard let variable = newVariable(name, at: keyNode) else { return nil }
      saved.append((variable, keyNode))
      return source.map { Save(variable: variable, source: $0, fallback: fallback, mark: sourceMark(keyNode)) }
    }
  }

  private func saveSource(_ entries: Entries) -> Save.Source? {
    if let node = entries["path"], let text = text(node, "a path") { return path(node, text).map { .body($0) } }
    if let node = entries["header"], let name = text(node, "a header") {
      return checkHeaderName(name, at: node) ? .header(name) : nil
    }
    if boolean(entries["status"], "status") == true { return .status }
    return nil
  }

  func checks(_ node: Node?) -> AnswerChecks {
    var checks = AnswerChecks()
    guard let node, let entries = entries(node, .check) else { return checks }
    if let status = entries["status"] {
      let nodes = if case .sequence(let sequence) = status { Array(sequence) } else { [status] }
      checks.statuses = nodes.compactMap { node in text(node, "a status").flatMap { statusPattern($0, at: node) } }
    }
    if let body = entries["body"] {
      checks.body = mapping(body, "body").compactMap { query, keyNode, value in
        guard let path = path(keyNode, query), let template = template(value) else { return nil }
        return AnswerChecks.BodyCheck(path: path, value: template, mark: sourceMark(keyNode))
      }
    }
    if let headers = entries["headers"] {
      checks.headers = mapping(headers, "headers").compactMap { name, keyNode, value in
        guard checkHeaderName(name, at: keyNode), let template = textTemplate(value, "a header's value") else {
          return nil
        }
        return NamedTemplate(name: name, value: template)
      }
    }
    return checks
  }
}
