import MurphyDocument
import MurphyJSON
import MurphyModel

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

  func saves(_ node: MarkedValue?) -> [Save] {
    guard let node else { return [] }
    return mapping(node, "save").compactMap { name, keyNode, value in
      let source: Save.Source?
      var fallback: Template?
      var isSecret = false
      if case .scalar = value.content {
        source = text(value, "a save").flatMap { path(value, $0) }.map { .body($0) }
      } else if let entries = entries(value, .save) {
        source = saveSource(entries)
        fallback = template(entries["default"])
        isSecret = boolean(entries["secret"], "secret") ?? false
      } else {
        source = nil
      }
      guard let variable = newVariable(name, at: keyNode) else { return nil }
      saved.append((variable, keyNode))
      return source.map {
        Save(variable: variable, source: $0, fallback: fallback, isSecret: isSecret, mark: sourceMark(keyNode))
      }
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
}
