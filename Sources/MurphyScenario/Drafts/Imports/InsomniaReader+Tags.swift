import Foundation
import MurphySchema

/// The variables and template tags of Insomnia.
extension InsomniaReader {
  /// The text with the variables `{{name}}` in place of Insomnia's own: `{{ _.name }}`, `{% uuid 'v4' %}`.
  mutating func plain(_ text: String) -> String {
    guard text.contains("{{") || text.contains("{%") else { return text }
    var result = text.replacing(/\{\{\s*_(?:\.([^{}]+?)|\[['"]([^{}]+?)['"]\])\s*\}\}/) {
      "{{\(($0.1 ?? $0.2).map(String.init) ?? "")}}"
    }
    while let tag = result.firstMatch(of: /\{%\s*(\w+)\s*((?:(?!%\}).)*?)\s*%\}/) {
      result.replaceSubrange(tag.range, with: "{{" + variable(String(tag.1), String(tag.2)) + "}}")
    }
    return result
  }

  /// The variable for a template tag.
  private mutating func variable(_ tag: String, _ arguments: String) -> String {
    let words = arguments.matches(of: /'([^']*)'/).map { String($0.1) }
    guard tag == "response", words.count > 2, let source = Self.source(words[0], Self.decoded(words[2])) else {
      let kind = tag == "faker" ? "" : tag + " "
      return "$" + (kind + (words.first ?? "")).trimmingCharacters(in: .whitespaces)
    }
    let key = words.prefix(3).joined(separator: " ")
    if let known = tags[key] { return known }
    let last = Self.decoded(words[2]).split { !$0.isLetter && !$0.isNumber && $0 != "_" }.last { Int($0) == nil }
    let name = names.new(last.map(String.init) ?? "value")
    tags[key] = name
    reads[words[1], default: []].append((name, source))
    return name
  }

  private static func source(_ kind: String, _ filter: String) -> DraftedSave.Source? {
    if kind == "header" { return .header(filter) }
    return kind == "body" && (try? JSONPath(filter)) != nil ? .body(filter) : nil
  }

  /// Insomnia writes texts with quotes in base64: `b64::JC5pZA==::46b`.
  private static func decoded(_ text: String) -> String {
    guard let match = text.wholeMatch(of: /b64::([A-Za-z0-9+\/=]*)::46b/) else { return text }
    return Data(base64Encoded: String(match.1)).map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// Adds the values that template tags read to the requests that receive them.
  mutating func addReads() {
    for (session, group) in collection.sessions.enumerated() {
      let own = ids.filter { $0.session == group.name }.map(\.id)
      for (index, id) in own.enumerated() { collection.sessions[session].requests[index].saves += reads[id] ?? [] }
    }
  }

  static func function(_ name: String) -> String? {
    switch name {
    case "$uuid", "$uuid v4": "${uuid()}"
    case "$now", "$now iso-8601": "${now()}"
    case "$now unix": "${now(s)}"
    case "$now millis", "$timestamp": "${now(ms)}"
    default: PostmanReader.function(name)
    }
  }
}
