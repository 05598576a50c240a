import MurphyContract
import MurphySchema

/// Reads an export of Insomnia: version 4 (a list of resources), or version 5 (a tree). A folder at the top becomes a
/// session.
struct InsomniaReader {
  var collection = RequestCollection()
  /// The values that template tags read from responses, by the id of the request.
  var reads: [String: [(variable: String, source: DraftedSave.Source)]] = [:]
  /// The variables of template tags that are known.
  var tags: [String: String] = [:]
  var names = VariableNames()
  var ids: [(session: String, id: String)] = []

  static func isExport(_ root: JSONValue) -> Bool {
    root["_type"] == "export" && root["resources"] != nil
      || root["type"]?.string?.contains(".insomnia.rest/") == true && root["collection"] != nil
  }

  static func recording(_ root: JSONValue, _ contract: Contract) -> Recording {
    var reader = InsomniaReader()
    if let resources = root["resources"]?.array {
      let children = Dictionary(grouping: resources) { $0["parentId"]?.string ?? "" }
      for workspace in resources where workspace["_type"] == "workspace" {
        let id = workspace["_id"]?.string ?? ""
        let base = (children[id] ?? []).first { $0["_type"] == "environment" }
        let others = (children[base?["_id"]?.string ?? id] ?? []).filter { $0["_type"] == "environment" }
        reader.read(environment: base, others.filter { $0 != base })
        reader.read(Self.tree(id, children), workspace["name"]?.string ?? "collection")
      }
    } else {
      let base = root["environments"]
      reader.read(environment: base, base?["subEnvironments"]?.array ?? [])
      reader.read(root["collection"]?.array ?? [], root["name"]?.string ?? "collection")
    }
    reader.addReads()
    return reader.collection.recording(contract, Self.function)
  }

  /// The requests and folders of version 4 as the tree of version 5.
  private static func tree(_ parent: String, _ children: [String: [JSONValue]], depth: Int = 0) -> [JSONValue] {
    guard depth < 20 else { return [] }
    return (children[parent] ?? []).compactMap { item in
      guard let type = item["_type"]?.string, type.hasSuffix("request") || type == "request_group" else { return nil }
      var members = item.object ?? JSONObject()
      if type == "request_group" {
        members["children"] = .array(tree(item["_id"]?.string ?? "", children, depth: depth + 1))
      } else if type != "request" {
        members["method"] = nil
      }
      return .object(members)
    }
  }

  /// Base values, and those of the first environment.
  private mutating func read(environment base: JSONValue?, _ others: [JSONValue]) {
    addConstants(base?["data"] ?? .null, "")
    guard let first = others.first else { return }
    addConstants(first["data"] ?? .null, "")
    for other in others.dropFirst() {
      let name = other["name"]?.string ?? ""
      collection.left.append(
        "the environment \(name), because the scenario uses the values of \(first["name"]?.string ?? "the first one")")
    }
  }

  private mutating func addConstants(_ data: JSONValue, _ prefix: String, depth: Int = 0) {
    for (key, value) in data.object ?? JSONObject() where depth < 20 {
      if value.object != nil {
        addConstants(value, prefix + key + ".", depth: depth + 1)
      } else {
        collection.constants[prefix + key] = plain(value.string ?? value.text)
      }
    }
  }

  private mutating func read(_ items: [JSONValue], _ session: String) {
    let defaults = FolderDefaults()
    read(items.filter { $0["children"] == nil }, session, defaults)
    for folder in Self.sorted(items) where folder["children"] != nil {
      read([folder], folder["name"]?.string ?? session, defaults)
    }
  }

  private static func sorted(_ items: [JSONValue]) -> [JSONValue] {
    func key(_ item: JSONValue) -> Double { item["meta"]?["sortKey"]?.double ?? item["metaSortKey"]?.double ?? 0 }
    return items.enumerated().sorted { (key($0.element), $0.offset) < (key($1.element), $1.offset) }.map(\.element)
  }

  private mutating func read(_ items: [JSONValue], _ session: String, _ outer: FolderDefaults, depth: Int = 0) {
    for item in Self.sorted(items) where depth < 20 {
      guard let children = item["children"]?.array else {
        if let request = request(item, outer) {
          collection.add([request], to: session)
          ids.append((session, item["_id"]?.string ?? item["meta"]?["id"]?.string ?? ""))
        }
        continue
      }
      addConstants(item["environment"] ?? .null, "")
      let auth = item["authentication"]
      let defaults = outer.inner(pairs(item["headers"]), auth?["type"] == nil ? nil : auth)
      read(children, session, defaults, depth: depth + 1)
    }
  }

  private mutating func pairs(_ list: JSONValue?) -> [(name: String, value: String)] {
    (list?.array ?? []).filter { $0["disabled"] != .bool(true) }.compactMap { pair in
      guard let name = pair["name"]?.string, !name.isEmpty else { return nil }
      return (plain(name), plain(pair["value"]?.string ?? pair["value"]?.text ?? ""))
    }
  }

  private mutating func request(_ item: JSONValue, _ defaults: FolderDefaults) -> CollectedRequest? {
    let name = item["name"]?.string ?? "a request"
    guard let method = item["method"]?.string else {
      collection.left.append("\(name): it is not an HTTP request")
      return nil
    }
    var request = CollectedRequest(name, method, plain(item["url"]?.string ?? ""))
    request.pathValues = Dictionary(pairs(item["pathParameters"])) { $1 }
    request.request.query = pairs(item["parameters"])
    request.request.headers = pairs(item["headers"])
    request.request.headers += defaults.headers(besides: request.request.headers)
    let own = item["authentication"] ?? .null
    let auth = own["type"] == nil ? defaults.auth : own
    let type = auth["disabled"] == .bool(true) ? "none" : auth["type"]?.string ?? ""
    var fields: [String: String] = [:]
    for (key, value) in auth.object ?? JSONObject() { fields[key] = plain(value.string ?? "") }
    if !request.authorize(type, { fields[$0] }) {
      collection.left.append("\(name): the authorization (\(type))")
    }
    setBody(item["body"] ?? .null, &request)
    let scripts = item["scripts"]
    for (kind, script) in [
      ("preRequest", scripts?["preRequest"] ?? item["preRequestScript"]),
      ("afterResponse", scripts?["afterResponse"] ?? item["afterResponseScript"]),
    ] where !request.addSaves(script: script?.string ?? "") {
      collection.left.append("\(name): its script (\(kind))")
    }
    return request
  }

  private mutating func setBody(_ body: JSONValue, _ request: inout CollectedRequest) {
    let type = body["mimeType"]?.string ?? ""
    switch type {
    case "application/x-www-form-urlencoded": request.request.setForm(pairs(body["params"]))
    case "multipart/form-data":
      for part in body["params"]?.array ?? [] where part["disabled"] != .bool(true) {
        guard let name = part["name"]?.string else { continue }
        request.request.parts.append(
          part["type"] == "file"
            ? RecordedPart(name: name, path: part["fileName"]?.string ?? "")
            : RecordedPart(name: name, text: plain(part["value"]?.string ?? "")))
      }
    case "application/graphql": request.setBody(plain(body["text"]?.string ?? ""), "application/json")
    default:
      if let file = body["fileName"]?.string, !file.isEmpty {
        collection.left.append("\(request.name): the content of \(file); write the content as the body of the step")
      } else if let text = body["text"]?.string, !text.isEmpty {
        request.setBody(plain(text), type.isEmpty ? "text/plain" : type)
      }
    }
  }
}
