import MurphyJSON
import MurphyModel

/// Reads the short texts in which an invariant says where values stand. Data, never code.
enum StateText {
  /// `path.id`, `query.law`, `header.X-Device-ID`, `body.vote_type`, `body[*]`, `operation`, `$.upvotes`.
  static func source(_ text: String) throws(ExpressionMistake) -> StateSource {
    if text == "operation" { return .operation }
    if text.hasPrefix("$") { return .answer(try path(text, offset: 0)) }
    if text == "body" || text.hasPrefix("body.") || text.hasPrefix("body[") {
      return .body(try path("$" + text.dropFirst(4), offset: 3))
    }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, !parts[1].isEmpty {
      switch parts[0] {
      case "path": return .path(parts[1])
      case "query": return .query(parts[1])
      case "header": return .header(parts[1].lowercased())
      default: break
      }
    }
    let hint = nearestName(to: parts[0], among: ["path", "query", "header", "body"]).map { ". Did you mean \"\($0)\"?" }
    throw ExpressionMistake(
      message: "\"\(text)\" is not a place in an exchange: path.NAME, query.NAME, header.NAME, body.FIELD, or a query "
        + "into the answer such as $.id" + (hint ?? ""))
  }

  static func path(_ text: String, offset: Int) throws(ExpressionMistake) -> JSONPath {
    do {
      return try JSONPath(text)
    } catch {
      throw ExpressionMistake(message: "not a JSONPath query: \(error.message)", offset: max(error.offset + offset, 0))
    }
  }

  /// The fields of a request as fields of an entry: `body.text` becomes `$.text`.
  static func field(_ source: StateSource) -> JSONPath? {
    switch source {
    case .body(let path), .answer(let path): path
    case .path, .query, .header, .operation: nil
    }
  }

  /// `body.vote_type == up`, with `!=` too, and a value in quotes or without.
  static func match(_ text: String) throws(ExpressionMistake) -> StateMatch {
    for sign in ["==", "!="] {
      guard let found = text.firstRange(of: sign) else { continue }
      let left = text[..<found.lowerBound].trimmingBlanks()
      let source = try source(left)
      var value = text[found.upperBound...].trimmingBlanks()
      guard !value.isEmpty else {
        throw ExpressionMistake(message: "\"\(text)\" compares with nothing", offset: text.count - 1)
      }
      if value.count >= 2, let quote = value.first, "'\"".contains(quote), value.last == quote {
        value = String(value.dropFirst().dropLast())
      }
      return StateMatch(source: source, isEqual: sign == "==", value: value)
    }
    throw ExpressionMistake(message: "\"\(text)\" is not a condition, as body.vote_type == up is")
  }

  /// `to in bad-*`
  static func glob(_ text: String) throws(ExpressionMistake) -> StateGlob {
    guard let found = text.firstRange(of: " in ") else {
      throw ExpressionMistake(message: "\"\(text)\" does not say which messages are marked, as to in bad-* does")
    }
    let name = text[..<found.lowerBound].trimmingBlanks()
    let pattern = text[found.upperBound...].trimmingBlanks()
    let field = try path(name.hasPrefix("$") ? name : "$." + name, offset: name.hasPrefix("$") ? 0 : -2)
    return StateGlob(
      field: field, parts: pattern.split(separator: "*", omittingEmptySubsequences: false).map(String.init))
  }
}
