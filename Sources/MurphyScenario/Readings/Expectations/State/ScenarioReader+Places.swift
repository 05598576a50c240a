import MurphyDocument
import MurphyJSON
import MurphyModel

/// Places in exchanges, as invariants name them.
extension ScenarioReader {
  /// Reads a text; a mistake is shown where it stands.
  func place<Value>(
    _ node: MarkedValue?, _ what: String, _ read: (String) throws(ExpressionMistake) -> Value
  ) -> Value? {
    guard let node, let text = text(node, what) else { return nil }
    do throws(ExpressionMistake) {
      return try read(text)
    } catch {
      report(error.message, in: node, anchor: text, offset: min(error.offset, max(text.count - 1, 0)), width: 1)
      return nil
    }
  }

  /// A place in the request: an answer that never comes says nothing.
  func source(_ entries: Entries, _ key: String) -> StateSource? {
    guard let node = entries[key], let source = place(node, key, StateText.source) else { return nil }
    guard case .answer = source else { return source }
    report(
      "\(key) is read from the request, which also says it when no answer comes; found \"\(node.scalarText ?? "")\"",
      at: node)
    return nil
  }

  /// Which thing an exchange is about.
  func key(_ entries: Entries, otherwise: StateSource? = nil) -> StateSource? {
    if entries.has("key") { return source(entries, "key") }
    if let otherwise { return otherwise }
    report(
      "\(entries.vocabulary.title) needs the key \"key\": which thing an exchange is about", at: entries.node, width: 1)
    return nil
  }

  func operation(_ node: MarkedValue?, _ what: String) -> OperationReference? {
    guard let node, let name = text(node, what) else { return nil }
    return operation(name, at: node)
  }

  /// One operation, or a list of them.
  func operations(_ node: MarkedValue?, _ what: String) -> [OperationReference] {
    (node?.items ?? []).compactMap { operation($0, what) }
  }

  /// Where an operation's answers show numbers.
  struct Reading {
    var operation: OperationReference
    var counts: StateTap.Counts
    var each: JSONPath?
    var key: JSONPath?
  }

  /// `read:` by operationId.
  ///
  /// - Parameter names: of the numbers that the invariant reads; at most two are.
  func readings(_ node: MarkedValue?, _ names: [String]) -> [Reading] {
    mapping(node, "read").compactMap { name, keyNode, value in
      guard let operation = operation(name, at: keyNode) else { return nil }
      guard case .object = value.content else {
        guard names.count == 1, let path = query(value, "a number") else {
          if names.count > 1 { report("say which: \(names.joined(separator: " or "))", at: value) }
          return nil
        }
        return Reading(operation: operation, counts: .init(first: path))
      }
      guard let entries = entries(value, .shown) else { return nil }
      for name in ["up", "down", "count"] where entries.has(name) && !names.contains(name) {
        report(
          "this invariant does not read \"\(name)\", but \(names.joined(separator: ", "))", at: entries.keyNode(name))
      }
      let paths = names.map { query(entries[$0], $0) }
      if paths.allSatisfy({ $0 == nil }) {
        if names.contains(where: { entries.has($0) }) { return nil }
        report("a reading needs \(names.map { "\"\($0)\"" }.joined(separator: " or "))", at: value, width: 1)
        return nil
      }
      let each = query(entries["each"], "each")
      if entries.has("each") != entries.has("key") {
        report("\"each\" and \"key\" belong together: elements, and which thing each is", at: value, width: 1)
        return nil
      }
      return Reading(
        operation: operation, counts: .init(first: paths[0], second: paths.count > 1 ? paths[1] : nil), each: each,
        key: query(entries["key"], "key"))
    }
  }

  func tap(_ reading: Reading, _ key: StateSource) -> StateTap {
    if let each = reading.each, let own = reading.key {
      return StateTap(reading.operation, .show(.each(each, key: own), reading.counts))
    }
    return StateTap(reading.operation, .show(.request(key), reading.counts))
  }
}
