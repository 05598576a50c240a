import MurphyContract
import MurphyModel

extension ScenarioReader {
  /// Checks the parameters and the body of a call against its operation.
  func check(_ entries: Entries, against operation: OperationSummary) {
    checkNames(entries["path"], of: .path, in: operation)
    checkNames(entries["query"], of: .query, in: operation)
    checkNames(entries["headers"], of: .header, in: operation)
    checkNames(entries["cookies"], of: .cookie, in: operation)
    checkRequired(entries, operation)
    let body = Self.bodyKeys.first { entries.has($0) }
    if let body, !operation.takesBody {
      report(
        "\(operation.id) takes no body (\(operation.method.uppercased()) \(operation.path))", at: entries.keyNode(body))
    }
    if body == nil, operation.requiresBody, let node = entries["call"] {
      report("\(operation.id) needs a body", at: node)
    }
  }

  private func checkNames(
    _ node: MarkedValue?, of location: OperationSummary.Parameter.Location, in operation: OperationSummary
  ) {
    guard let node, case .object = node.content else { return }
    let known = operation.parameters.filter { $0.location == location }.map(\.name)
    for (name, keyNode, _) in pairs(node) where !known.contains(where: { Self.same($0, name, location) }) {
      let hint = suggestion(name, known)
      let kind = "\(location.rawValue)\(location == .path || location == .query ? " parameter" : "")"
      if location == .path || !hint.isEmpty {
        let list = known.isEmpty ? "; it has none" : "; it has \(known.joined(separator: ", "))"
        report("unknown \(kind) \"\(name)\" of \(operation.id)\(hint.isEmpty ? list : hint)", at: keyNode)
      } else if location == .query {
        warn("\(operation.id) declares no \(kind) \"\(name)\"; it is sent unchanged", at: keyNode)
      }
    }
  }

  /// Header names are case-insensitive (RFC 9110 §5.1).
  private static func same(_ a: String, _ b: String, _ location: OperationSummary.Parameter.Location) -> Bool {
    location == .header ? a.lowercased() == b.lowercased() : a == b
  }

  private func checkRequired(_ entries: Entries, _ operation: OperationSummary) {
    guard let node = entries["call"] else { return }
    let keys: [(OperationSummary.Parameter.Location, String)] = [
      (.path, "path"), (.query, "query"), (.header, "headers"), (.cookie, "cookies"),
    ]
    // A `url:` already contains path and query parameters.
    for (location, key) in keys where !entries.has("url") || (location != .path && location != .query) {
      var given = entries[key].map { pairs($0).map(\.key) } ?? []
      if location == .header { given += clientHeaders }
      for parameter in operation.parameters where parameter.required && parameter.location == location {
        if !given.contains(where: { Self.same($0, parameter.name, location) }) {
          let kind = location == .path || location == .query ? "\(location.rawValue) parameter" : location.rawValue
          report("\(operation.id) needs the \(kind) \"\(parameter.name)\", under \"\(key)\"", at: node)
        }
      }
    }
  }
}
