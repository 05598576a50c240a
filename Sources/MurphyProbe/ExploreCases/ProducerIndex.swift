import MurphyContract
import MurphyScenario
import MurphySchema

/// The responses of a contract that name items for other calls.
struct ProducerIndex {
  /// A response that names an item.
  struct Producer {
    var operation: Int
    var place: ResponsePlace
    /// The field of the request's body that names the new item, if no response does.
    var sent: JSONPointer?

    /// The item's name after the step.
    func value(afterStep step: Int) -> CallValue { sent.map { .sent(step: step, $0) } ?? .response(step: step, place) }
  }

  let contract: Contract
  let shapes: [PathShape]
  /// By the segments of the collection's path.
  private(set) var makers: [[String]: Producer] = [:]
  private(set) var lists: [[String]: Producer] = [:]
  /// By operation and parameter: the responses that link to it.
  private(set) var linked: [Int: [String: Producer]] = [:]
  /// By operation: the operation with a response that links to it without a value; it must come first.
  private(set) var before: [Int: Int] = [:]

  /// The collections with items that bodies and paths may name.
  private(set) var collections: CollectionNames
  /// By the path of a collection: operations on one of its items.
  private var itemOperations: [[String]: [Int]] = [:]
  /// By list operation: the documented fields of its items.
  private var listFields: [Int: Set<String>] = [:]
  /// By the path of a collection: names of the parameters for its items.
  private var parameters: [[String]: [String]] = [:]

  init(_ contract: Contract) {
    self.contract = contract
    collections = CollectionNames([], contract)
    shapes = contract.operations.map { PathShape($0.path) }
    for (index, shape) in shapes.enumerated() {
      if shape.isItem { itemOperations[Array(shape.segments.dropLast()), default: []].append(index) }
      for (name, prefix) in shape.parameters where parameters[prefix]?.contains(name) != true {
        parameters[prefix, default: []].append(name)
      }
    }
    for shape in contract.relations().collections {
      let operation = contract.operations[shape.operation]
      guard operation.method == "GET", operation.mistakes.isEmpty else { continue }
      listFields[shape.operation] = Set(shape.fields)
      let named = Self.fields(named: parameters[shapes[shape.operation].segments] ?? [])
      let usual = ["id", "uuid", "key", "slug", "code", "name"].first { shape.fields.contains($0) }
      guard let field = named.first(where: { shape.fields.contains($0) }) ?? shape.id?.name ?? usual else { continue }
      let place = JSONPointer(tokens: shape.items + ["0", field])
      lists[shapes[shape.operation].segments] = Producer(operation: shape.operation, place: .body(place))
    }
    for (index, operation) in contract.operations.enumerated() where operation.method == "POST" {
      let segments = shapes[index].segments
      guard operation.mistakes.isEmpty, operation.isDocumented, segments.last?.contains("{}") == false,
        makers[segments] == nil
      else { continue }
      if let place = place(of: index, segments) {
        makers[segments] = Producer(operation: index, place: place)
      } else if let name = sentName(of: index, segments) {
        makers[segments] = Producer(operation: index, place: .body(name), sent: name)
      }
    }
    collections = CollectionNames(Set(makers.keys).union(lists.keys), contract)
    readLinks()
  }

  /// The `links` of all responses (OpenAPI 3.1 §4.8.20).
  private mutating func readLinks() {
    for (index, operation) in contract.operations.enumerated() where operation.mistakes.isEmpty {
      for link in operation.responses.filter(\.isSuccess).flatMap(\.links) {
        guard let target = contract.index(of: link.operation), target != index else { continue }
        if link.parameters.isEmpty, operation.method != "GET", before[target] == nil { before[target] = index }
        for (name, pointer) in link.parameters where linked[target]?[name] == nil {
          linked[target, default: [:]][name] = Producer(operation: index, place: .body(pointer))
        }
      }
    }
  }

  /// The place of the item's name in a creation response: in its link, its own field, its `Location`.
  private func place(of operation: Int, _ segments: [String]) -> ResponsePlace? {
    let items = itemOperations[segments] ?? []
    guard !items.isEmpty else { return nil }
    let names = parameters[segments] ?? []
    for promise in contract.operations[operation].responses where promise.isSuccess {
      for link in promise.links {
        guard let target = contract.index(of: link.operation), items.contains(target) else { continue }
        if let pointer = names.lazy.compactMap({ link.parameters[$0] }).first { return .body(pointer) }
      }
    }
    // A request for an asynchronous creation names the job, not the item.
    let isOrder = contract.operations[operation].responses.contains { $0.status == .exactly(202) }
    if isOrder { return nil }
    if let path = contract.successMember(operation, named: Self.fields(named: names) + ["id", "uuid", "key", "slug"]) {
      return .body(JSONPointer(tokens: path))
    }
    if contract.returnsScalar(operation) { return .body(.root) }
    return contract.namesLocation(operation) ? .location : nil
  }

  /// The field of a creation's body with the name by which the paths of items name the new item.
  private func sentName(of operation: Int, _ segments: [String]) -> JSONPointer? {
    let isOrder = contract.operations[operation].responses.contains { $0.status == .exactly(202) }
    let put = namedMaker(of: segments)
    let takesName = put.map { contract.operations[$0].takesNewName(shapes[$0].parameters.last?.name ?? "") } ?? false
    guard !isOrder, !takesName, itemOperations[segments] != nil else { return nil }
    var sample = ContractSample(contract)
    guard let body = sample.bodies(of: contract.operations[operation]).first?.value else { return nil }
    let own = parameters[segments] ?? []
    // `/databases/{database}` has the name of a database.
    let isName = own.allSatisfy { !$0.lowercased().hasSuffix("id") }
    let names = Self.fields(named: own).filter { $0 != "id" } + (isName ? Self.nameFields : [])
    return names.first { body[$0]?.string != nil }.map { JSONPointer(tokens: [$0]) }
  }

  /// Fields that contain the value of a path parameter: `book_slug` may be the field `slug`, `username` is itself.
  private static func fields(named names: [String]) -> [String] {
    names
      + ["slug", "name", "key", "code", "uuid"].filter { field in
        names.contains { $0.lowercased().hasSuffix("_" + field) || $0.hasSuffix(field.capitalized) || $0 == field }
      }
  }

  /// Fields with a name that a client may choose for an item.
  private static let nameFields = ["name", "slug", "key", "code"]

  /// The same response with another field that may identify the item: a server may expect the name of an item in a path,
  /// although the item also has an `id`. Nil if the document describes none.
  func renamed(_ producer: Producer) -> Producer? {
    guard producer.sent == nil, case .body(let pointer) = producer.place, let field = pointer.tokens.last else {
      return nil
    }
    let others = Self.nameFields.filter { $0 != field }
    let isList = contract.operations[producer.operation].method == "GET"
    let known = isList ? listFields[producer.operation].map { fields in others.filter(fields.contains) } : nil
    guard let name = known?.first ?? contract.successMember(producer.operation, named: others)?.last else { return nil }
    var other = producer
    other.place = .body(JSONPointer(tokens: pointer.tokens.dropLast() + [name]))
    return other
  }

  /// True if a path names an item of the collection.
  func hasItems(below segments: [String]) -> Bool { parameters[segments] != nil }

  /// Adds lists and creations that the document does not describe, each with the place of an item's name.
  mutating func add(_ learned: [Int: JSONPointer]) {
    for (operation, place) in learned {
      let producer = Producer(operation: operation, place: .body(place))
      let segments = shapes[operation].segments
      if contract.operations[operation].method == "GET" {
        lists[segments] = lists[segments] ?? producer
      } else {
        makers[segments] = makers[segments] ?? producer
      }
    }
  }

  /// Fields of an item that may identify it.
  func names(ofItemsBelow segments: [String]) -> [String] {
    Self.fields(named: parameters[segments] ?? []) + ["id", "uuid", "key", "slug", "name"]
  }

  /// The field in the response to a creation that identifies the new item. Nil if the operation creates nothing, or
  /// identifies it in another way. A body with that field chooses the name.
  func chosenName(_ operation: Int) -> String? {
    guard let maker = makers[shapes[operation].segments], maker.operation == operation,
      case .body(let pointer) = maker.place
    else { return nil }
    return pointer.tokens.last
  }

  /// The operation at the path of an item that creates it under a name of the client: a PUT, or a POST with status 201
  /// or a summary such as `Create a group`.
  func namedMaker(of segments: [String]) -> Int? {
    let items = items(of: segments)
    return items["PUT"]
      ?? items["POST"].flatMap { post in
        let operation = contract.operations[post]
        let isCreation =
          operation.responses.contains { $0.status == .exactly(201) }
          || operation.title.lowercased().hasPrefix("create ")
        return isCreation ? post : nil
      }
  }

  func items(of segments: [String]) -> [String: Int] {
    let pairs = (itemOperations[segments] ?? []).filter { contract.operations[$0].isDocumented }
      .map { (contract.operations[$0].method, $0) }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}
