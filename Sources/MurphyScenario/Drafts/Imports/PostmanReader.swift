import Foundation
import MurphyContract
import MurphySchema

/// Reads a Postman collection (v2.0, v2.1). A folder becomes a session, and response values that test scripts keep
/// become `save`. Other scripts are left out.
struct PostmanReader {
  private var collection = RequestCollection()

  static func recording(_ root: JSONValue, _ contract: Contract) -> Recording {
    var reader = PostmanReader()
    for variable in root["variable"]?.array ?? [] {
      if let key = variable["key"]?.string ?? variable["id"]?.string, let value = variable["value"]?.string,
        !value.isEmpty
      {
        reader.collection.constants[key] = value
      }
    }
    let name = root["info"]?["name"]?.string ?? "collection"
    let items = root["item"]?.array ?? []
    reader.read(items.filter { $0["item"] == nil }, name)
    for folder in items where folder["item"] != nil {
      reader.read(Self.requests(folder["item"]?.array ?? []), folder["name"]?.string ?? name)
    }
    if let type = root["auth"]?["type"]?.string, type != "noauth" {
      reader.collection.left.append(
        "the auth of the collection (\(type)), because murphy sends the credentials that the contract describes")
    }
    if root["event"]?.array?.isEmpty == false { reader.collection.left.append("the scripts of the collection") }
    return reader.collection.recording(contract, Self.function)
  }

  /// The requests of a folder and its subfolders, in order.
  private static func requests(_ items: [JSONValue], depth: Int = 0) -> [JSONValue] {
    items.flatMap { item -> [JSONValue] in
      guard let inner = item["item"]?.array else { return [item] }
      return depth < 20 ? requests(inner, depth: depth + 1) : []
    }
  }

  private mutating func read(_ items: [JSONValue], _ session: String) {
    let requests = items.compactMap { item in item["request"].flatMap { request(item, $0) } }
    collection.sessions.append((session, requests))
  }

  private mutating func request(_ item: JSONValue, _ described: JSONValue) -> CollectedRequest? {
    let name = item["name"]?.string ?? "a request"
    let url = described.string ?? described["url"]?.string ?? described["url"]?["raw"]?.string ?? ""
    var request = CollectedRequest(name, described["method"]?.string ?? "", url)
    request.pathValues = [:]
    for variable in described["url"]?["variable"]?.array ?? [] {
      if let key = variable["key"]?.string { request.pathValues?[key] = variable["value"]?.string ?? "" }
    }
    if let listed = described["url"]?["query"]?.array {
      // The URL contains the same query as text.
      request.url = String(url.prefix { $0 != "?" })
      request.request.query = Self.pairs(listed)
    }
    request.request.headers = Self.pairs(described["header"]?.array ?? [])
    if let mode = described["body"]?["mode"]?.string, let body = described["body"] {
      switch mode {
      case "raw":
        let language = body["options"]?["raw"]?["language"]?.string
        request.setBody(
          body["raw"]?.string ?? "", language == "json" || language == nil ? "application/json" : "text/plain")
      case "urlencoded": request.request.setForm(Self.pairs(body["urlencoded"]?.array ?? []))
      case "formdata":
        request.request.parts = (body["formdata"]?.array ?? []).filter { $0["disabled"] != .bool(true) }.compactMap(
          part)
      case "graphql":
        request.setGraphQL(body["graphql"]?["query"] ?? "", variables: body["graphql"]?["variables"]?.string ?? "")
      case "none": break
      default:
        collection.left.append("\(name): its body is \(mode), which no step can send")
        return nil
      }
    }
    for event in item["event"]?.array ?? [] {
      let lines = event["script"]?["exec"]?.array?.compactMap(\.string) ?? [event["script"]?["exec"]?.string ?? ""]
      if !request.addSaves(script: lines.joined(separator: "\n")) {
        collection.left.append("\(name): its script (\(event["listen"]?.string ?? "test"))")
      }
    }
    return request
  }

  private static func pairs(_ list: [JSONValue]) -> [(name: String, value: String)] {
    list.filter { $0["disabled"] != .bool(true) }.compactMap { pair in
      pair["key"]?.string.map { ($0, pair["value"]?.string ?? "") }
    }
  }

  /// A field of a multipart form. A file is given by its name, because its bytes are on the machine of the collection's
  /// author.
  private func part(_ field: JSONValue) -> RecordedPart? {
    guard let key = field["key"]?.string else { return nil }
    let type = field["contentType"]?.string
    guard field["type"]?.string == "file" else {
      return RecordedPart(name: key, text: field["value"]?.string ?? "", type: type)
    }
    return RecordedPart(name: key, path: field["src"]?.string ?? field["src"]?.array?.first?.string ?? "", type: type)
  }

  /// Variables that Postman generates for each request.
  static func function(_ name: String) -> String? {
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
