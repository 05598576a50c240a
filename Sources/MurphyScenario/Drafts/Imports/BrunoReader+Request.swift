import Foundation
import MurphySchema

/// Bodies, assertions and variables of a request in a Bruno collection.
extension CollectedRequest {
  /// - Returns: the reason why the body or a part of it is left out.
  mutating func setBody(_ body: JSONValue) -> String? {
    // Of several bodies, one is selected.
    let chosen = body.array.map { list in list.first { $0["selected"] == .bool(true) } ?? list.first ?? .null }
    let body = chosen.map { $0["body"] ?? .null } ?? body
    let data = body["data"]
    let text = BrunoReader.text(data?.string ?? "")
    switch body["type"]?.string ?? (body["query"] == nil ? "none" : "graphql") {
    case "none": break
    case "json": setBody(text, "application/json")
    case "xml": setBody(text, "application/xml")
    case "text": setBody(text, "text/plain")
    case "sparql": setBody(text, "application/sparql-query")
    case "graphql":
      setGraphQL(
        .string(BrunoReader.text(body["query"]?.string ?? "")),
        variables: BrunoReader.text(body["variables"]?.string ?? ""))
    case "form-urlencoded": request.setForm(BrunoReader.pairs(data))
    case "multipart-form":
      request.parts = (data?.array ?? []).filter { $0["disabled"] != .bool(true) }.compactMap { part in
        guard let name = part["name"]?.string else { return nil }
        let type = part["contentType"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        let value = part["value"]?.string ?? part["value"]?.array?.first?.string ?? ""
        guard part["type"] == "file" else { return RecordedPart(name: name, text: BrunoReader.text(value), type: type) }
        return RecordedPart(name: name, path: value, type: type)
      }
    case "file":
      let path = data?.array?.first?["filePath"]?.string ?? "a file"
      return "the content of \(path); write the content as the body of the step"
    case let type: return "its body is \(type), which no step can send"
    }
    return nil
  }

  /// Adds the values that the tool keeps from a response, and what it asserts.
  ///
  /// - Returns: the reasons for the parts that are left out.
  mutating func addResponse(_ runtime: JSONValue) -> [String] {
    var left: [String] = []
    for action in runtime["actions"]?.array ?? [] where action["disabled"] != .bool(true) {
      let name = action["variable"]?["name"]?.string ?? ""
      if let source = Self.source(action["selector"]?["expression"]?.string ?? "") {
        saves.append((name.hasPrefix("@") ? String(name.dropFirst()) : name, source))
      } else {
        left.append("the variable \(name), which it sets from its response")
      }
    }
    for assertion in runtime["assertions"]?.array ?? [] where assertion["disabled"] != .bool(true) {
      let expression = assertion["expression"]?.string ?? ""
      var words = [assertion["operator"]?.string, assertion["value"]?.string].compactMap(\.self).joined(separator: " ")
      if words.isEmpty { words = assertion["value"]?.text ?? "" }
      if !expect(expression, words) { left.append("its assertion \(ContentMask.shown("\(expression) \(words)"))") }
    }
    for script in runtime["scripts"]?.array ?? [] where !addSaves(script: script["code"]?.string ?? "") {
      left.append("its script (\(script["type"]?.string ?? "script"))")
    }
    return left
  }

  /// Bruno's operators other than `eq`.
  private static let operators: Set<String> = [
    "neq", "gt", "gte", "lt", "lte", "in", "notIn", "contains", "notContains", "length", "matches", "notMatches",
    "startsWith", "endsWith", "between", "isEmpty", "isNotEmpty", "isNull", "isUndefined", "isDefined", "isTruthy",
    "isFalsy", "isJson", "isNumber", "isString", "isBoolean", "isArray",
  ]

  /// `res.status` `eq 404`, `res.body.id` `isDefined`
  private mutating func expect(_ expression: String, _ words: String) -> Bool {
    let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
    // Without an operator, the values are compared.
    let isEqual = parts.first.map { !Self.operators.contains($0) } ?? false
    let value = parts.first == "eq" ? parts.dropFirst().first ?? "" : words
    if expression.wholeMatch(of: /\$?res\.status/) != nil {
      guard let status = Int(value), 100...599 ~= status else { return false }
      statuses.append(status)
      return true
    }
    guard case .body(let path)? = Self.source(expression), !value.contains("{{"), value != "undefined" else {
      return false
    }
    if parts.first == "isDefined" {
      finds.append((path, nil))
      return true
    }
    guard isEqual else { return false }
    let quoted = value.wholeMatch(of: /'(.*)'|"(.*)"/).flatMap { $0.1 ?? $0.2 }
    finds.append(
      (path, quoted.map { .string(String($0)) } ?? (try? JSONValue.parse(Array(value.utf8))) ?? .string(value)))
    return true
  }

  /// The place in a response: `res.body.items[0].id`, `res('items[0].id')`, `res.headers.location`
  private static func source(_ expression: String) -> DraftedSave.Source? {
    if let match = expression.wholeMatch(of: /\$?res\.headers(?:\.([\w-]+)|\[['"]([\w-]+)['"]\])/) {
      return (match.1 ?? match.2).map { .header(String($0)) }
    }
    var path: String?
    if let match = expression.wholeMatch(of: /\$?res(?:\.body|\.getBody\(\))((?:[.\[].*)?)/) { path = "$" + match.1 }
    if let match = expression.wholeMatch(of: /\$?res\(\s*(?:'([^']+)'|"([^"]+)")\s*\)/) {
      path = (match.1 ?? match.2).map { "$." + $0 }
    }
    guard let path, (try? JSONPath(path)) != nil else { return nil }
    return .body(path)
  }
}
