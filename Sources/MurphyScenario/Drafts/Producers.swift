import MurphyContract
import MurphyModel
import MurphySchema

/// The response that supplies the value of a path parameter. It is found by `links`, by the list at the start of the
/// path, or by name. Otherwise the document's example is used.
struct Producers {
  enum Source {
    /// A list, and the JSONPath query for the names of all its items.
    case list(operation: Int, query: String)
    /// A response with one such value. The value may be missing in the body.
    case link(operation: Int, query: String)
    case example(JSONValue)

    /// The operation whose response supplies the value.
    var producer: Int? {
      switch self {
      case .list(let operation, _), .link(let operation, _): operation
      case .example: nil
      }
    }
  }

  private let contract: Contract
  /// By the path's segments.
  private var lists: [[String]: CollectionShape] = [:]
  private let collections: [CollectionShape]
  private let shapes: [PathShape]
  /// By a name such as `lawid`: the paths of the collections whose items it names, in segments.
  private var creations: [String: [[String]]] = [:]
  /// By a field name without separators: the responses of operations without path parameters that have it.
  private var fields: [String: Source] = [:]
  /// By a name such as `lawid`: the lists whose items it names.
  private var named: [String: [Int]] = [:]
  /// By the path without its last segment.
  private var below: [[String]: [Int]] = [:]
  /// By operation and parameter: the responses that link to it.
  private var links: [Int: [String: Source]] = [:]
  /// Places whose items are named by the second identifier field, because no request with the first succeeded.
  private let second: Set<[String]>

  init(_ contract: Contract, _ rule: WriteRule, second: Set<[String]> = []) {
    self.contract = contract
    self.second = second
    shapes = contract.operations.map { PathShape($0.path) }
    let usable = contract.operations.indices.filter { index in
      let operation = contract.operations[index]
      return operation.isDocumented && operation.mistakes.isEmpty && rule.exclusion(of: operation) == nil
    }
    let reads = usable.filter { contract.operations[$0].method == "GET" }
    let searches = usable.filter { rule.isSearch(contract.operations[$0]) }
    collections = (reads + searches).compactMap(contract.list)
    for (index, shape) in collections.enumerated() {
      let path = Self.collection(of: shape.operation, shapes, contract)
      if lists[path] == nil || lists[path]?.id == nil && shape.id != nil { lists[path] = shape }
      for name in Self.names(of: path) { named[name, default: []].append(index) }
      below[Array(path.dropLast()), default: []].append(index)
    }
    for index in usable where contract.operations[index].method == "POST" && !searches.contains(index) {
      guard !shapes[index].isItem else { continue }
      for name in Self.names(of: shapes[index].segments) { creations[name, default: []].append(shapes[index].segments) }
    }
    for index in reads where shapes[index].parameters.isEmpty { readFields(of: index) }
    for (index, operation) in contract.operations.enumerated() where operation.method == "GET" {
      for link in operation.responses.filter(\.isSuccess).flatMap(\.links) {
        guard let target = contract.index(of: link.operation), target != index else { continue }
        for (name, pointer) in link.parameters where links[target]?[name] == nil {
          let query = Self.query(pointer.tokens)
          links[target, default: [:]][name] = .link(operation: index, query: query)
        }
      }
    }
  }

  /// The path of the collection that an operation lists: `/flows` for `POST /flows/filter`.
  private static func collection(of list: Int, _ shapes: [PathShape], _ contract: Contract) -> [String] {
    contract.operations[list].method == "POST" ? shapes[list].segments.dropLast() : shapes[list].segments
  }

  /// The names of parameters for the items of a collection: `lawid`, `lawslug`.
  private static func names(of path: [String]) -> [String] {
    let noun = DraftNames.plain(DraftNames.singular(path.last { !$0.contains("{}") } ?? ""))
    return ["id", "uuid", "key", "slug"].map { noun + $0 }
  }

  /// Fields with a name of their own: `tenant`, but not `id` or `name`, which name different items.
  private mutating func readFields(of operation: Int) {
    let found = contract.responseFields(operation)
    let general = ["id", "uuid", "key", "slug", "code", "name", "version", "status", "type", "title"]
    for field in found.single where !general.contains(field) && fields[DraftNames.plain(field)] == nil {
      fields[DraftNames.plain(field)] = .link(operation: operation, query: Self.query([field]))
    }
    for field in found.many {
      let name = DraftNames.plain(DraftNames.singular(field))
      if fields[name] == nil { fields[name] = .list(operation: operation, query: Self.query([field]) + "[*]") }
    }
  }

  /// The path of the collection whose items a parameter names. It may differ from the segments before the parameter:
  /// `/tasks/{task_id}` names the items of `/projects/{id}/tasks`.
  func home(of parameter: (name: String, prefix: [String]), source: Source?) -> [String] {
    let named = creations[DraftNames.plain(parameter.name)] ?? []
    let isOwn = shapes.indices.contains {
      contract.operations[$0].method == "POST" && shapes[$0].segments == parameter.prefix
    }
    if isOwn || lists[parameter.prefix] != nil { return parameter.prefix }
    if case .list(let list, _)? = source, collections.contains(where: { $0.operation == list }) {
      // `/flows/name/{name}` has the name of a flow, and other paths have its id.
      return parameter.prefix.last == parameter.name
        ? parameter.prefix : Self.collection(of: list, shapes, contract)
    }
    return named.min { $0.count < $1.count } ?? parameter.prefix
  }

  func list(at segments: [String]) -> CollectionShape? { lists[segments] }

  var listed: Set<[String]> { Set(lists.keys) }

  func source(of parameter: (name: String, prefix: [String]), in operation: Int) -> Source? {
    if let linked = links[operation]?[parameter.name] { return linked }
    if let shape = lists[parameter.prefix], let query = query(shape, for: parameter.name, of: operation) {
      return .list(operation: shape.operation, query: query)
    }
    if let index = shapes.indices.first(where: { isTextList($0, at: parameter.prefix) }) {
      return .list(operation: index, query: "$[*]")
    }
    // `law_id` names an item of a list of laws; `/pet/findByStatus` is next to `/pet/{petId}`.
    let candidates = (named[DraftNames.plain(parameter.name)] ?? []).filter { collections[$0].operation != operation }
    // A list below fewer items needs fewer responses before it.
    let nearest = candidates.map { collections[$0] }.min { depth(of: $0) < depth(of: $1) }
    if let shape = nearest, let query = query(shape, for: parameter.name, of: operation) {
      return .list(operation: shape.operation, query: query)
    }
    // `/flows/name/{name}` names a flow by its field `name`.
    if parameter.prefix.last == parameter.name, let shape = lists[parameter.prefix.dropLast()],
      shape.fields.contains(parameter.name)
    {
      return .list(
        operation: shape.operation, query: Self.query(shape.items) + "[*]" + Self.step(parameter.name))
    }
    if let value = example(of: parameter, in: operation, fromEnumeration: true) { return .example(value) }
    // The response of the running server is better than the document's example.
    if let field = fields[DraftNames.plain(parameter.name)] { return field }
    if let value = example(of: parameter, in: operation) { return .example(value) }
    // A list that ends with the parameter needs its value, too.
    for shape in (below[parameter.prefix] ?? []).map({ collections[$0] }) where !shapes[shape.operation].isItem {
      guard let query = query(shape, for: parameter.name, of: operation) else { continue }
      return .list(operation: shape.operation, query: query)
    }
    let others = shapes.indices.filter { other in
      shapes[other].parameters.contains { $0 == parameter }
    }
    return others.lazy.compactMap { example(of: parameter, in: $0) }.first.map(Source.example)
  }

  private func example(
    of parameter: (name: String, prefix: [String]), in operation: Int, fromEnumeration: Bool = false
  ) -> JSONValue? {
    let described = contract.operations[operation].parameters.first {
      $0.name == parameter.name && $0.location == .path
    }
    return described.flatMap { ContractSample.given($0, contract, fromEnumeration: fromEnumeration) }
  }

  /// The number of items above the list.
  private func depth(of list: CollectionShape) -> Int { shapes[list.operation].parameters.count }

  /// True for a GET of that path whose response is a list of strings or integers.
  private func isTextList(_ operation: Int, at path: [String]) -> Bool {
    shapes[operation].segments == path && contract.operations[operation].method == "GET"
      && contract.operations[operation].mistakes.isEmpty && contract.responseFields(operation).isList
  }

  /// The query for the items' own names, by the name of the parameter.
  private func query(_ shape: CollectionShape, for parameter: String, of operation: Int) -> String? {
    guard let field = field(shape, for: parameter, of: operation) else { return nil }
    return Self.query(shape.items) + "[*]" + Self.step(field)
  }

  /// The field that names an item in the parameter of a path.
  func field(_ shape: CollectionShape, for parameter: String, of operation: Int) -> String? {
    let wanted = DraftNames.plain(parameter)
    let named = shape.fields.first { DraftNames.plain($0) == wanted }
    let usual = ["id", "uuid", "key", "slug", "code", "name"].filter {
      shape.fields.contains($0) && $0 != shape.id?.name
    }
    let fields = [named ?? shape.id?.name].compactMap(\.self) + usual.filter { $0 != named }
    // A string does not name an item in place of a number.
    let isSecond =
      second.contains(Self.collection(of: shape.operation, shapes, contract))
      && !contract.takesInteger(parameter, in: operation)
    return isSecond && fields.count > 1 ? fields[1] : fields.first
  }

  /// `$.data[0].id`
  static func query(_ names: [String]) -> String { "$" + names.map(step).joined() }

  /// `.name`, or `['first name']`.
  static func step(_ name: String) -> String {
    if Int(name) != nil { return "[\(name)]" }
    let isPlain = name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
    return isPlain ? "." + name : "['" + name.escaping(["\\": "\\\\", "'": "\\'"]) + "']"
  }
}
