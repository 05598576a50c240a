import Foundation
import MurphySchema

/// A file of Bruno's own language: blocks of pairs, and blocks of text. It becomes the same tree as a YAML file of a
/// collection (OpenCollection 1.0).
struct BruFile {
  private var blocks: [(name: String, lines: [String])] = []

  static func isFile(_ text: String) -> Bool { text.prefixMatch(of: /\s*meta\s*\{/) != nil }

  init(_ text: String, _ file: String) throws(ImportedScenario.Mistake) {
    let lines = text.textLines
    var index = 0
    while index < lines.count {
      let line = lines[index]
      index += 1
      if line.allSatisfy(\.isWhitespace) || line == "\u{FEFF}" { continue }
      guard let start = line.wholeMatch(of: /\x{FEFF}?([a-z][\w:-]*)\s*([{\[])\s*/) else {
        let shown = ContentMask.shown(String(line.prefix(60)))
        throw ImportedScenario.Mistake(description: "\(file):\(index): expected a block (`get {`); found \(shown)")
      }
      let content = lines[index...].prefix { !$0.hasPrefix(start.2 == "{" ? "}" : "]") }
      guard index + content.count < lines.count else {
        throw ImportedScenario.Mistake(description: "\(file):\(index): the block \(start.1) has no closing brace")
      }
      blocks.append((String(start.1), Array(content)))
      index += content.count + 1
    }
  }

  private static let methods: Set<String> = [
    "get", "post", "put", "delete", "patch", "options", "head", "connect", "trace", "http",
  ]
  /// Bruno's names of bodies, with those of OpenCollection.
  private static let bodies = ["formUrlEncoded": "form-urlencoded", "multipartForm": "multipart-form"]

  /// The file as a request, a folder or an environment.
  var tree: JSONValue {
    var root = JSONObject()
    var http = JSONObject()
    var runtime = JSONObject()
    var params: [JSONValue] = []
    var scripts: [JSONValue] = []
    var (bodyMode, authMode) = ("none", "none")
    for (name, lines) in blocks {
      switch name {
      case "meta": root["info"] = fields(name)
      case "auth": authMode = fields(name)["mode"]?.string ?? "none"
      case "headers": http["headers"] = .array(Self.pairs(lines))
      case "params:query", "query": params += Self.pairs(lines).map { Self.with("type", "query", $0) }
      case "params:path": params += Self.pairs(lines).map { Self.with("type", "path", $0) }
      case "vars": root["variables"] = .array(Self.pairs(lines))
      case "vars:pre-request": runtime["variables"] = .array(Self.pairs(lines))
      case "vars:post-response":
        runtime["actions"] = .array(
          Self.pairs(lines).map { pair in
            [
              "variable": ["name": pair["name"] ?? ""], "selector": ["expression": pair["value"] ?? ""],
              "disabled": pair["disabled"] ?? false,
            ]
          })
      case "assert":
        runtime["assertions"] = .array(Self.pairs(lines).map { Self.with("expression", $0["name"]?.string ?? "", $0) })
      case "script:pre-request", "script:post-response", "tests":
        scripts.append(["type": .string(name), "code": .string(Self.text(lines))])
      case _ where Self.methods.contains(name):
        let pairs = fields(name)
        http["method"] = pairs["method"] ?? .string(name)
        http["url"] = pairs["url"]
        (bodyMode, authMode) = (pairs["body"]?.string ?? "none", pairs["auth"]?.string ?? "none")
      case "grpc", "ws": root["other"] = .string(name)
      default: break
      }
    }
    http["params"] = .array(params)
    runtime["scripts"] = .array(scripts)
    http["body"] = body(Self.bodies[bodyMode] ?? bodyMode)
    http["auth"] =
      ["inherit", "none"].contains(authMode)
      ? .string(authMode) : Self.with("type", authMode, fields("auth:" + authMode))
    (root["http"], root["runtime"]) = (.object(http), .object(runtime))
    return .object(root)
  }

  private func body(_ mode: String) -> JSONValue {
    let lines = blocks.first { $0.name == "body:" + mode }?.lines ?? []
    switch mode {
    case "none": return .null
    case "graphql":
      let variables = blocks.first { $0.name == "body:graphql:vars" }?.lines ?? []
      return ["type": "graphql", "query": .string(Self.text(lines)), "variables": .string(Self.text(variables))]
    case "form-urlencoded": return ["type": .string(mode), "data": .array(Self.pairs(lines))]
    case "multipart-form", "file":
      let parts = Self.pairs(lines).map { pair -> JSONValue in
        let text = pair["value"]?.string ?? ""
        let type = text.firstMatch(of: /\s*@contentType\(([^)]*)\)\s*$/)
        let content = type.map { String(text[..<$0.range.lowerBound]) } ?? text
        var part = Self.with("contentType", type.map { String($0.1) } ?? "", pair)
        guard let file = content.wholeMatch(of: /@file\((.*)\)/) else { return Self.with("value", content, part) }
        part = Self.with("type", "file", Self.with("value", String(file.1), part))
        return Self.with("filePath", String(file.1), part)
      }
      return ["type": .string(mode), "data": .array(parts)]
    default: return ["type": .string(mode), "data": .string(Self.text(lines))]
    }
  }

  /// The pairs of a block as one object.
  private func fields(_ block: String) -> JSONValue {
    let lines = blocks.first { $0.name == block }?.lines ?? []
    return .object(
      JSONObject(
        Self.pairs(lines).filter { $0["disabled"] == nil }.map { ($0["name"]?.string ?? "", $0["value"] ?? "") }))
  }

  private static func with(_ key: String, _ value: String, _ object: JSONValue) -> JSONValue {
    var members = object.object ?? JSONObject()
    members[key] = .string(value)
    return .object(members)
  }

  /// `name: value`, `~disabled: value`, `"a name": '''several lines'''`. Annotations (`@description('…')`) are skipped.
  private static func pairs(_ lines: [String]) -> [JSONValue] {
    var pairs: [JSONValue] = []
    var index = 0
    func block() -> String {
      var text: [String] = []
      while index < lines.count, !lines[index].contains("'''") {
        text.append(lines[index])
        index += 1
      }
      index += 1
      return Self.text(text)
    }
    while index < lines.count {
      let line = lines[index].trimmingCharacters(in: .whitespaces)
      index += 1
      if line.wholeMatch(of: /@[^\s():]+(?:\(.*)?/) != nil {
        if line.matches(of: /'''/).count == 1 { _ = block() }
        continue
      }
      guard let match = line.wholeMatch(of: /(~?)(?:"((?:[^"\\]|\\.)*)"|([^:]*?))\s*:\s*(.*)/) else { continue }
      let name = match.2.map { String($0).replacingScalars("\\\"", with: "\"") } ?? String(match.3 ?? "")
      var value = String(match.4)
      if value.hasPrefix("'''"), !value.dropFirst(3).contains("'''") {
        value = block()
      } else if value == "[" {
        index += lines[index...].prefix { $0.trimmingCharacters(in: .whitespaces) != "]" }.count
      }
      var pair: JSONObject = ["name": .string(name), "value": .string(value)]
      if !match.1.isEmpty { pair["disabled"] = true }
      pairs.append(.object(pair))
    }
    return pairs
  }

  /// The lines without their common indentation.
  private static func text(_ lines: [String]) -> String {
    let indents = lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.prefix { $0 == " " || $0 == "\t" }.count }
    return lines.map { String($0.dropFirst(indents.min() ?? 0)) }.joined(separator: "\n")
  }
}
