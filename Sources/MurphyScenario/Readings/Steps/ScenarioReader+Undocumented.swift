import MurphyDocument
import MurphyModel

extension ScenarioReader {
  /// `{ method: POST, url: /laws/${pick(ids)}/vote }`
  func undocumentedOperation(_ node: MarkedValue) -> OperationReference? {
    guard let entries = entries(node, .request), let place = entries["url"] else { return nil }
    let method =
      entries["method"].map { choice($0, "a method", UndocumentedRequest.Method.self) }
      ?? UndocumentedRequest.Method.get
    guard let url = textTemplate(place, "a url"), let method else { return nil }
    guard url.source.hasPrefix("/") || url.source.hasPrefix("${") else {
      let hint = url.source.contains("://") ? "; users stay at the target, which --target or target: names" : ""
      report("a url begins with /, as /laws/1/vote does\(hint); found \(found(place))", at: place)
      return nil
    }
    let request = UndocumentedRequest(method: method, url: url)
    var reference = OperationReference(id: request.id)
    reference.undocumented = request
    if let documented = operations?.first(where: { $0.describes(request) }) {
      warn(
        "\(request.id) is the operation \(documented.id) of the contract; as it is written here its answers are not "
          + "checked. Write call: \(documented.id)", at: place)
    }
    undocumented[request.id] = reference
    calledOperations.insert(request.id)
    return reference
  }
}

extension ScenarioReader {
  /// `url:` of a call, which takes the place of the operation's path and query.
  func url(_ entries: Entries) -> Template? {
    guard let node = entries["url"], let url = textTemplate(node, "a url") else { return nil }
    if case .object? = entries["call"]?.content {
      report("the call has a url already", at: entries.keyNode("url"))
    }
    if entries.has("path") {
      report("with a url there are no path parameters", at: entries.keyNode("path"))
    }
    guard url.source.hasPrefix("/") || url.source.hasPrefix("${") else {
      report("a url is what an answer gave, as ${next}, or begins with /; found \(found(node))", at: node)
      return nil
    }
    return url
  }
}

extension OperationSummary {
  /// Whether the request would be this operation, with anything in the place of what is computed.
  fileprivate func describes(_ request: UndocumentedRequest) -> Bool {
    guard method.uppercased() == request.method.rawValue else { return false }
    let asked = Self.segments(request.path.prefix { $0 != "?" })
    let known = Self.segments(path[...])
    return asked.count == known.count
      && zip(asked, known).allSatisfy { $0 == $1 || $0.contains("{") || ($1.contains("{") && !$0.isEmpty) }
  }

  /// Slashes within braces belong to an expression.
  private static func segments(_ path: Substring) -> [String] {
    var segments = [""]
    var depth = 0
    for character in path {
      if character == "/", depth == 0 {
        segments.append("")
        continue
      }
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      segments[segments.count - 1].append(character)
    }
    return segments
  }
}
