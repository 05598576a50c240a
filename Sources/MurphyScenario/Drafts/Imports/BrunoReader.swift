import Foundation
import MurphyContract
import MurphySchema

/// Reads a Bruno collection: a folder of `.bru` or `.yml` files, or one YAML file (OpenCollection 1.0). A folder at the
/// top becomes a session.
struct BrunoReader {
  /// A folder, a request or an environment.
  struct Node {
    /// The name of its file or folder.
    var file = ""
    var tree = JSONValue.null
    var folders: [Node] = []
    var requests: [Node] = []

    var name: String { tree["info"]?["name"]?.string ?? (file.isEmpty ? "collection" : file) }
    var place: (Double, String) {
      let seq = tree["info"]?["seq"]
      return (seq?.double ?? seq?.string.flatMap(Double.init) ?? .infinity, file)
    }
  }

  private var collection = RequestCollection()

  /// - Parameter files: the collection's files, with their paths from its folder.
  static func recording(
    _ files: [(path: String, text: String)], _ contract: Contract
  ) throws(ImportedScenario.Mistake) -> Recording {
    var root = Node()
    var environments: [Node] = []
    for (path, text) in files {
      var folders = path.split(separator: "/").map(String.init)
      let file = folders.removeLast()
      let stem = String(file.prefix { $0 != "." })
      let tree: JSONValue
      if file.hasSuffix(".bru") {
        tree = try BruFile(text, path).tree
      } else {
        tree = try ImportedScenario.contents(text, path)
      }
      switch stem {
      case "bruno" where folders.isEmpty: root.tree = Self.merged(["info": tree], root.tree)
      case "collection" where folders.isEmpty, "opencollection" where folders.isEmpty:
        root.tree = Self.merged(root.tree, tree)
      case _ where folders.first == "environments": environments.append(Node(file: stem, tree: tree))
      case "folder": root.change(folders[...]) { $0.tree = tree }
      default: root.change(folders[...]) { $0.requests.append(Node(file: stem, tree: tree)) }
      }
    }
    return recording(root, environments, contract)
  }

  /// - Parameter bundle: a collection in one file.
  static func recording(_ bundle: JSONValue, _ contract: Contract) -> Recording {
    let environments = (bundle["config"]?["environments"]?.array ?? bundle["environments"]?.array ?? []).map {
      Node(file: $0["name"]?.string ?? "environment", tree: $0)
    }
    return recording(node(bundle), environments, contract)
  }

  private static func node(_ tree: JSONValue, depth: Int = 0) -> Node {
    var node = Node(tree: tree)
    for item in tree["items"]?.array ?? [] where depth < 20 {
      if item["items"] != nil {
        node.folders.append(self.node(item, depth: depth + 1))
      } else {
        node.requests.append(Node(tree: item))
      }
    }
    return node
  }

  private static func recording(_ root: Node, _ environments: [Node], _ contract: Contract) -> Recording {
    var reader = BrunoReader()
    let environments = environments.sorted { $0.file < $1.file }
    if let first = environments.first {
      reader.addVariables(first.tree["variables"])
      for other in environments.dropFirst() {
        reader.collection.left.append(
          "the environment \(other.file), because the scenario uses the values of \(first.file)")
      }
    }
    let defaults = reader.defaults(root, FolderDefaults())
    reader.read(root.requests, root.name, defaults)
    for folder in root.folders.sorted(by: { $0.place < $1.place }) { reader.read(folder, folder.name, defaults) }
    return reader.collection.recording(contract, PostmanReader.function)
  }

  private static func merged(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
    var members = first.object ?? JSONObject()
    for (key, value) in second.object ?? JSONObject() where key != "info" || members[key] == nil {
      members[key] = value
    }
    return .object(members)
  }

  private mutating func addVariables(_ list: JSONValue?) {
    for variable in list?.array ?? [] where variable["disabled"] != .bool(true) && variable["secret"] != .bool(true) {
      let value = variable["value"]?["data"] ?? variable["value"]
      guard let name = variable["name"]?.string, let text = value?.string ?? value?.text, !text.isEmpty else {
        continue
      }
      collection.constants[name] = collection.constants[name] ?? Self.text(text)
    }
  }

  /// `{{process.env.NAME}}` is an environment variable too.
  static func text(_ text: String) -> String { text.replacingScalars("{{process.env.", with: "{{") }

  static func pairs(_ list: JSONValue?) -> [(name: String, value: String)] {
    (list?.array ?? []).filter { $0["disabled"] != .bool(true) && $0["enabled"] != .bool(false) }.compactMap { pair in
      pair["name"]?.string.map { ($0, text(pair["value"]?.string ?? pair["value"]?.text ?? "")) }
    }
  }

  /// The defaults of a folder: those of a `.bru` file are in `http` and `runtime`, and those of YAML in `request`.
  private mutating func defaults(_ node: Node, _ outer: FolderDefaults) -> FolderDefaults {
    let request = node.tree["request"] ?? node.tree["http"] ?? .null
    addVariables(node.tree["request"]?["variables"] ?? node.tree["runtime"]?["variables"])
    let scripts = request["scripts"] ?? node.tree["runtime"]?["scripts"]
    if scripts?.array?.isEmpty == false { collection.left.append("\(node.name): the scripts of the folder") }
    return outer.inner(Self.pairs(request["headers"]), request["auth"] == "inherit" ? nil : request["auth"])
  }

  private mutating func read(_ folder: Node, _ session: String, _ outer: FolderDefaults, depth: Int = 0) {
    guard depth < 20 else { return }
    let defaults = defaults(folder, outer)
    for inner in folder.folders.sorted(by: { $0.place < $1.place }) { read(inner, session, defaults, depth: depth + 1) }
    read(folder.requests, session, defaults)
  }

  private mutating func read(_ nodes: [Node], _ session: String, _ defaults: FolderDefaults) {
    collection.add(
      nodes.sorted { $0.place < $1.place }.compactMap { request($0, defaults) }, to: session)
  }

  private mutating func request(_ node: Node, _ defaults: FolderDefaults) -> CollectedRequest? {
    let described = node.tree["http"]?["url"] != nil ? node.tree["http"] : node.tree["graphql"]
    guard let described, let url = described["url"]?.string else {
      collection.left.append("\(node.name): it is not an HTTP request")
      return nil
    }
    let method = described["method"]?.string ?? (node.tree["graphql"] == nil ? "GET" : "POST")
    var request = CollectedRequest(node.name, method, Self.text(url))
    let params = described["params"]?.array ?? []
    request.pathValues = Dictionary(Self.pairs(.array(params.filter { $0["type"] == "path" }))) { $1 }
    if params.contains(where: { $0["type"] != "path" }) {
      // The URL contains the same query as text.
      request.url = String(request.url.prefix { $0 != "?" })
      request.request.query = Self.pairs(.array(params.filter { $0["type"] != "path" }))
    }
    request.request.headers = Self.pairs(described["headers"])
    request.request.headers += defaults.headers(besides: request.request.headers)
    let auth = described["auth"] == "inherit" ? defaults.auth : described["auth"] ?? .null
    let type = auth["type"]?.string ?? ""
    if !request.authorize(type, { auth[$0]?.string.map(Self.text) }) {
      collection.left.append("\(node.name): the authorization (\(type))")
    }
    if let reason = request.setBody(described["body"] ?? .null) { collection.left.append("\(node.name): \(reason)") }
    let runtime = node.tree["runtime"] ?? .null
    addVariables(runtime["variables"])
    for reason in request.addResponse(runtime) { collection.left.append("\(node.name): \(reason)") }
    return request
  }
}

extension BrunoReader.Node {
  /// Changes the folder at a path.
  fileprivate mutating func change(_ path: ArraySlice<String>, _ change: (inout Self) -> Void) {
    guard let first = path.first else { return change(&self) }
    if let index = folders.firstIndex(where: { $0.file == first }) {
      folders[index].change(path.dropFirst(), change)
    } else {
      var folder = Self(file: first)
      folder.change(path.dropFirst(), change)
      folders.append(folder)
    }
  }
}
