import MurphyDocument
import MurphyModel

extension ScenarioReader {
  /// The promises that every run makes, as `expect:` changes them.
  /// - Parameter sessions: the names of the scenario's sessions.
  func traffic(_ entries: Entries, budgets: [Budget], sessions: [String]) -> TrafficExpectation {
    var traffic = TrafficExpectation()
    if let node = entries["errors"] {
      traffic.errors = isOff(node) ? nil : share(node, "errors", besides: 1, or: "write off")
      if traffic.errors != nil, budgets.contains(where: { $0.operation == "*" && $0.metric == .errors }) {
        report("errors of all operations are promised here and under budgets: \"*\"; keep one of them", at: node)
      }
    }
    if let node = entries["completed"] {
      traffic.completed = isOff(node) ? nil : share(node, "completed", besides: 0, or: "write off")
    }
    if let node = entries["connections"] { traffic.connections = isOff(node) ? nil : reused(node) }
    if let node = entries["called"] {
      traffic.called = names(node, "called") { name in
        guard let reference = operation(name.scalarText ?? "", at: name) else { return nil }
        if operations != nil, !calledOperations.contains(reference.id) {
          report("no session calls \(reference.id), so it can never be called", at: name)
        }
        return reference.id
      }
    }
    if let node = entries["sessions"] {
      traffic.sessions = names(node, "sessions") { known($0, among: sessions, "a session") }
    }
    return traffic
  }

  /// `90%`, or as a sentence: `reused >= 90%`.
  private func reused(_ node: MarkedValue) -> Double? {
    guard let text = node.scalarText, text.hasPrefix("reused") else {
      return share(node, "connections", besides: 0, or: "write off")
    }
    let words = text.split(separator: " ").map(String.init)
    if words.count == 3, [">=", "≥"].contains(words[1]), case .success(let share) = Quantity.share(words[2]) {
      if share == 0 { report("no response can break connections: reused >= 0%; write off", at: node) }
      return share
    }
    report("connections is a share such as 90%, or \"reused >= 90%\"; found \(found(node))", at: node)
    return nil
  }

  /// `off` in any spelling that YAML 1.1 editors may leave of it.
  func isOff(_ node: MarkedValue) -> Bool { node.scalarText == "off" || node.scalarValue == false }

  /// `all`, `off`, or a list of names.
  private func names(
    _ node: MarkedValue, _ what: String, _ name: (MarkedValue) -> String?
  ) -> TrafficExpectation.Names {
    if isOff(node) { return .off }
    if node.scalarText == "all" { return .all }
    guard case .array(let sequence) = node.content, !sequence.isEmpty else {
      report("\(what) is all, off or a list of names; found \(found(node))", at: node)
      return .all
    }
    return .only(sequence.compactMap(name))
  }
}
