import Foundation
import MurphyContract
import MurphySchema

/// Reads a Postman collection (v2.0, v2.1). A folder becomes a session, and response values that test scripts keep
/// become `save`.
struct PostmanReader {
  /// It also contains the collection's own variables, and those that test scripts of the session set from responses.
  private var tool: ToolImporter

  init(_ contract: Contract) { tool = ToolImporter(contract, Self.function) }

  func recording(_ root: JSONValue) -> Recording {
    var reader = self
    for variable in root["variable"]?.array ?? [] {
      if let key = variable["key"]?.string ?? variable["id"]?.string, let value = variable["value"]?.string,
        !value.isEmpty
      {
        reader.tool.variables.constants[key] = value
      }
    }
    var recording = Recording()
    let name = root["info"]?["name"]?.string ?? "collection"
    let items = root["item"]?.array ?? []
    for request in Self.requests(items) { _ = reader.origin(request).map { reader.tool.isOfAPI($0) } }
    let api = reader.tool.mostFrequentOrigin
    reader.tool.api = api
    reader.read(items.filter { $0["item"] == nil }, name, &recording)
    for folder in items where folder["item"] != nil {
      reader.read(Self.requests(folder["item"]?.array ?? []), folder["name"]?.string ?? name, &recording)
    }
    recording.setTarget(base: reader.tool.base, api: api)
    recording.variables = reader.tool.environment
    if let type = root["auth"]?["type"]?.string, type != "noauth" {
      recording.left.append("the collection's auth (\(type)): the contract's security schemes send credentials")
    }
    if root["event"]?.array?.isEmpty == false { recording.left.append("the collection's own scripts") }
    return recording
  }

  /// The requests of a folder and its subfolders, in order.
  private static func requests(_ items: [JSONValue], depth: Int = 0) -> [JSONValue] {
    items.flatMap { item -> [JSONValue] in
      guard let inner = item["item"]?.array else { return [item] }
      return depth < 20 ? requests(inner, depth: depth + 1) : []
    }
  }

  private mutating func read(_ items: [JSONValue], _ name: String, _ recording: inout Recording) {
    tool.variables.given = [:]
    let steps = items.compactMap { item -> DraftedStep? in
      guard item["request"] != nil else { return nil }
      return call(item, &recording).map { .call($0) }
    }
    if !steps.isEmpty { recording.add(name, steps) }
  }

  private static func url(_ request: JSONValue) -> String? {
    request.string ?? request["url"]?.string ?? request["url"]?["raw"]?.string
  }

  /// Scheme, host and port of a URL; empty if they are a variable.
  private func origin(_ item: JSONValue) -> String? {
    guard let written = Self.url(item["request"] ?? .null) else { return nil }
    let raw = tool.variables.withConstants(written)
    guard let match = raw.prefixMatch(of: /https?:\/\/[^\/?#{}]+/) else { return "" }
    return String(match.0)
  }

  private mutating func call(_ item: JSONValue, _ recording: inout Recording) -> DraftedCall? {
    let name = item["name"]?.string ?? "a request"
    let described = item["request"] ?? .null
    guard let written = Self.url(described) else {
      recording.left.append("\(name): it has no URL")
      return nil
    }
    if let origin = origin(item), !tool.isOfAPI(origin) {
      recording.left.append("\(name): it is sent to \(origin.isEmpty ? "another server" : origin)")
      return nil
    }
    // Variables of the collection may contain the server and its base path.
    let raw = tool.variables.withConstants(written)
    var request = RecordedRequest(
      method: described["method"]?.string?.uppercased() ?? "GET", path: path(raw, described))
    for field in described["header"]?.array ?? [] where field["disabled"] != .bool(true) {
      if let key = field["key"]?.string { request.headers.append((key, field["value"]?.string ?? "")) }
    }
    request.query = query(raw, described)
    if let mode = described["body"]?["mode"]?.string, let body = described["body"] {
      switch mode {
      case "raw":
        request.body = body["raw"]?.string.map(ToolVariables.quoted)
        let language = body["options"]?["raw"]?["language"]?.string
        request.contentType =
          request.typeField ?? (language == "json" || language == nil ? "application/json" : "text/plain")
      case "urlencoded":
        request.setForm(
          (body["urlencoded"]?.array ?? []).compactMap { field in
            field["key"]?.string.map { ($0, field["value"]?.string ?? "") }
          })
      case "formdata":
        request.parts = (body["formdata"]?.array ?? []).filter { $0["disabled"] != .bool(true) }.compactMap(part)
        for file in request.parts where file.fileName != nil {
          recording.left.append("\(name): the content of \(file.fileName ?? ""): name a file instead")
        }
      case "graphql":
        request.contentType = "application/json"
        var document = JSONObject()
        document["query"] = body["graphql"]?["query"] ?? ""
        let variables = body["graphql"]?["variables"]?.string ?? ""
        document["variables"] = (try? JSONValue.parse(ToolVariables.quoted(variables))) ?? .object(JSONObject())
        request.body = JSONValue.object(document).text
      case "none": break
      default:
        recording.left.append("\(name): its body is \(mode), which no step can send")
        return nil
      }
    }
    var call = tool.call(request)
    call.saves = saves(of: item, name, &recording)
    return call
  }

  /// The values that calls such as `pm.environment.set("token", pm.response.json().access_token)` keep. Other scripts
  /// are left out.
  private mutating func saves(of item: JSONValue, _ name: String, _ recording: inout Recording) -> [DraftedSave] {
    var saves: [DraftedSave] = []
    for event in item["event"]?.array ?? [] {
      let lines = event["script"]?["exec"]?.array?.compactMap(\.string) ?? [event["script"]?["exec"]?.string ?? ""]
      let script = lines.joined(separator: "\n")
      let sets = script.matches(
        of:
          /(?:environment|collectionVariables|globals|variables)\.set\(\s*["']([\w-]+)["']\s*,\s*[A-Za-z_$][\w$]*(?:\.response\.json\(\))?((?:\.[A-Za-z_$][\w$]*|\[[0-9]+\])+)\s*\)/
      )
      for set in sets {
        let variable = DraftNames.variable(String(set.1))
        tool.variables.given[String(set.1)] = variable
        saves.append(DraftedSave(name: variable, source: .body("$" + set.2)))
      }
      let statements = lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter {
        !$0.isEmpty && !$0.hasPrefix("//")
      }
      if statements.count > sets.count {
        recording.left.append("\(name): its script (\(event["listen"]?.string ?? "test"))")
      }
    }
    return saves
  }

  /// The path of a URL such as `{{baseUrl}}/laws/:id?limit=5`, with the values of its path variables.
  private func path(_ raw: String, _ described: JSONValue) -> String {
    var text = raw.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init) ?? raw
    if let scheme = text.range(of: "://") { text = String(text[scheme.upperBound...]) }
    text = text.firstIndex(of: "/").map { String(text[$0...]) } ?? "/"
    var values: [String: String] = [:]
    for variable in described["url"]?["variable"]?.array ?? [] {
      if let key = variable["key"]?.string { values[key] = variable["value"]?.string ?? "" }
    }
    return text.split(separator: "/").map { segment in
      guard segment.hasPrefix(":") else { return "/" + segment }
      let name = String(segment.dropFirst())
      return "/" + (values[name].flatMap { $0.isEmpty ? nil : $0 } ?? "{{\(name)}}")
    }.joined()
  }

  private func query(_ raw: String, _ described: JSONValue) -> [(name: String, value: String)] {
    if let listed = described["url"]?["query"]?.array {
      return listed.filter { $0["disabled"] != .bool(true) }.compactMap { pair in
        pair["key"]?.string.map { ($0, pair["value"]?.string ?? "") }
      }
    }
    guard let mark = raw.firstIndex(of: "?") else { return [] }
    return raw[raw.index(after: mark)...].split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return (parts[0], parts.count > 1 ? parts[1].removingPercentEncoding ?? parts[1] : "")
    }
  }

  /// A field of a multipart form. A file is given by its name, because its bytes are on the machine of the collection's
  /// author.
  private func part(_ field: JSONValue) -> RecordedPart? {
    guard let key = field["key"]?.string else { return nil }
    let type = field["contentType"]?.string
    guard field["type"]?.string == "file" else {
      return RecordedPart(name: key, text: field["value"]?.string ?? "", fileName: nil, type: type)
    }
    let source = field["src"]?.string ?? field["src"]?.array?.first?.string ?? "file"
    return RecordedPart(
      name: key, text: nil, fileName: source.split(separator: "/").last.map(String.init) ?? source, type: type)
  }

  /// Variables that Postman generates for each request.
  private static func function(_ name: String) -> String? {
    switch name {
    case "$guid", "$randomUUID": "${uuid()}"
    case "$timestamp": "${now(s)}"
    case "$isoTimestamp": "${now()}"
    case "$randomInt": "${int(0, 1000)}"
    case "$randomEmail": "${email()}"
    case let random where random.hasPrefix("$random"): "${string(8)}"
    default: nil
    }
  }
}
