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
  }

  private let contract: Contract
  /// By the path's segments.
  private var lists: [[String]: CollectionShape] = [:]
  private let collections: [CollectionShape]
  /// By a name such as `lawid`: the lists whose items it names.
  private var named: [String: [Int]] = [:]
  /// By the path without its last segment.
  private var below: [[String]: [Int]] = [:]
  /// By operation and parameter: the responses that link to it.
  private var links: [Int: [String: Source]] = [:]
  /// Places whose items are named by the second identifier field, because no request with the first succeeded.
  private let second: Set<[String]>

  init(_ contract: Contract, second: Set<[String]> = []) {
    self.contract = contract
    self.second = second
    collections = ContractRelations(contract).collections.filter {
      contract.operations[$0.operation].method == "GET" && contract.operations[$0.operation].mistakes.isEmpty
    }
    for (index, shape) in collections.enumerated() {
      let path = PathShape(contract.operations[shape.operation].path)
      if lists[path.segments] == nil { lists[path.segments] = shape }
      let noun = DraftNames.plain(DraftNames.singular(path.noun ?? ""))
      for name in ["id", "uuid", "key", "slug"] { named[noun + name, default: []].append(index) }
      below[Array(path.segments.dropLast()), default: []].append(index)
    }
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

  func list(at segments: [String]) -> CollectionShape? { lists[segments] }

  var listed: Set<[String]> { Set(lists.keys) }

  func source(of parameter: (name: String, prefix: [String]), in operation: Int) -> Source? {
    if let linked = links[operation]?[parameter.name] { return linked }
    if let shape = lists[parameter.prefix], let query = query(shape, for: parameter.name, of: operation) {
      return .list(operation: shape.operation, query: query)
    }
    let described = contract.operations[operation].parameters.first {
      $0.name == parameter.name && $0.location == .path
    }
    if let value = described.flatMap({ ContractSample.given($0, contract) }) { return .example(value) }
    // `law_id` names an item of a list of laws; `/pet/findByStatus` is next to `/pet/{petId}`.
    let candidates = (named[DraftNames.plain(parameter.name)] ?? []).filter { collections[$0].operation != operation }
    for shape in (candidates + (below[parameter.prefix] ?? [])).map({ collections[$0] }) {
      guard let query = query(shape, for: parameter.name, of: operation) else { continue }
      return .list(operation: shape.operation, query: query)
    }
    return nil
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
      second.contains(PathShape(contract.operations[shape.operation].path).segments)
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
