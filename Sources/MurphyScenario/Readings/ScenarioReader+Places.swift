import MurphyJSON
import MurphyModel
import Yams

extension ScenarioReader {
  /// Where the values of a call stand: `query/limit`, `body/items/0`; `body` also stands for a form.
  func places(_ entries: Entries) -> [String: Diagnostic] {
    var places: [String: Diagnostic] = [:]
    for key in ["path", "query", "headers", "cookies"] {
      guard let node = entries[key], case .mapping = node else { continue }
      for (name, _, value) in pairs(node) { add(value, at: JSONPointer(tokens: [name]), of: key, &places) }
    }
    for key in ["body", "form"] {
      guard let node = entries[key] else { continue }
      add(node, at: .root, of: "body", &places)
      // What is missing from the body is told at its key.
      places["body"] = place(entries.keyNode(key))
    }
    return places
  }

  private func add(_ node: Node, at pointer: JSONPointer, of key: String, _ places: inout [String: Diagnostic]) {
    guard pointer.tokens.count < Self.deepestTemplate, places.count < 2_000 else { return }
    places[key + pointer.description] = place(node)
    switch node {
    case .mapping: for (name, _, value) in pairs(node) { add(value, at: pointer.appending(name), of: key, &places) }
    case .sequence(let items):
      for (index, item) in items.enumerated() { add(item, at: pointer.appending(index), of: key, &places) }
    case .scalar, .alias: break
    }
  }

  private func place(_ node: Node) -> Diagnostic {
    source.diagnostic("", line: node.mark?.line ?? 1, column: node.mark?.column ?? 1, width: Self.width(of: node))
  }
}
