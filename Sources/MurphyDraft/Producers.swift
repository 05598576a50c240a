import MurphyContract
import MurphyJSON
import MurphyModel

/// Which answer gives the value of a path parameter: by `links`, by the list that the path goes on from, by name, else by
/// the document's example.
struct Producers {
  enum Source {
    /// A list, and the JSONPath query of all its items' names.
    case list(operation: Int, query: String)
    /// An answer with one such value, whose body may lack it.
    case link(operation: Int, query: String)
    case example(JSONValue)
  }

  private let contract: Contract
  /// By the path's segments.
  private var lists: [[String]: CollectionShape] = [:]
  private let collections: [CollectionShape]
  /// Places whose items are named by the second field that names one: no request with the first succeeded.
  private let second: Set<[String]>

  init(_ contract: Contract, second: Set<[String]> = []) {
    self.contract = contract
    self.second = second
    collections = ContractRelations(contract).collections.filter {
      contract.operations[$0.operation].method == "GET" && contract.operations[$0.operation].mistakes.isEmpty
    }
    for shape in collections {
      let segments = PathShape(contract.operations[shape.operation].path).segments
      if lists[segments] == nil { lists[segments] = shape }
    }
  }

  /// The list at a path; nil for none.
  func list(at segments: [String]) -> CollectionShape? { lists[segments] }

  /// The paths of all lists, in segments.
  var listed: Set<[String]> { Set(lists.keys) }

  func source(of parameter: (name: String, prefix: [String]), in operation: Int) -> Source? {
    if let linked = link(parameter.name, to: operation) { return linked }
    if let shape = lists[parameter.prefix], let query = query(shape, for: parameter.name, of: operation) {
      return .list(operation: shape.operation, query: query)
    }
    let described = contract.operations[operation].parameters.first {
      $0.name == parameter.name && $0.location == .path
    }
    if let value = described.flatMap({ ContractSample.given($0, contract) }) { return .example(value) }
    // `law_id` names what a list of laws gives.
    for shape in collections where shape.operation != operation {
      let noun = PathShape(contract.operations[shape.operation].path).noun ?? ""
      let names = ["id", "uuid", "key", "slug"].map { DraftNames.plain(DraftNames.singular(noun)) + $0 }
      if names.contains(DraftNames.plain(parameter.name)), let query = query(shape, for: parameter.name, of: operation)
      {
        return .list(operation: shape.operation, query: query)
      }
    }
    // `/pet/findByStatus` beside `/pet/{petId}`
    for shape in collections {
      let segments = PathShape(contract.operations[shape.operation].path).segments
      guard segments.count == parameter.prefix.count + 1, segments.starts(with: parameter.prefix),
        let query = query(shape, for: parameter.name, of: operation)
      else { continue }
      return .list(operation: shape.operation, query: query)
    }
    return nil
  }

  private func link(_ parameter: String, to operation: Int) -> Source? {
    for (index, other) in contract.operations.enumerated() where other.method == "GET" && index != operation {
      for promise in other.responses where promise.isSuccess {
        for link in promise.links where contract.index(of: link.operation) == operation {
          guard let pointer = link.parameters[parameter] else { continue }
          return .link(operation: index, query: "$" + pointer.tokens.map(Self.step).joined())
        }
      }
    }
    return nil
  }

  /// The items' own names, by what the parameter is called.
  private func query(_ shape: CollectionShape, for parameter: String, of operation: Int) -> String? {
    guard let field = field(shape, for: parameter, of: operation) else { return nil }
    return "$" + shape.items.map(Self.step).joined() + "[*]" + Self.step(field)
  }

  /// The field of an item that names it where a path has the parameter.
  func field(_ shape: CollectionShape, for parameter: String, of operation: Int) -> String? {
    let wanted = DraftNames.plain(parameter)
    let named = shape.fields.first { DraftNames.plain($0) == wanted }
    let usual = ["id", "uuid", "key", "slug", "code", "name"].filter {
      shape.fields.contains($0) && $0 != shape.id?.name
    }
    let fields = [named ?? shape.id?.name].compactMap(\.self) + usual.filter { $0 != named }
    // A text never names an item in the place of a number.
    let isSecond =
      second.contains(PathShape(contract.operations[shape.operation].path).segments)
      && !contract.takesInteger(parameter, in: operation)
    return isSecond && fields.count > 1 ? fields[1] : fields.first
  }

  /// `.name`, or `['first name']`.
  static func step(_ name: String) -> String {
    if Int(name) != nil { return "[\(name)]" }
    let isPlain = name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
    return isPlain ? "." + name : "['" + name.escaping(["\\": "\\\\", "'": "\\'"]) + "']"
  }
}
