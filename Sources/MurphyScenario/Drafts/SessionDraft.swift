import MurphyContract
import MurphyModel
import MurphySchema

/// The steps of one session: the operations of a resource, each after the response that supplies its inputs.
struct SessionDraft {
  let contract: Contract
  let producers: Producers
  let rule: WriteRule
  var writer: CallDraft
  /// The sources of path parameter values, by operation.
  var sources: [Int: [Producers.Source?]] = [:]
  /// Fields of bodies that name items of other collections, by operation.
  var references: [Int: [Reference]] = [:]
  /// Creations and deletions of other resources. They are included only because an operation requires such an item.
  var foreign: Set<Int> = []
  /// By operation: the collections whose items its path parameters name, in segments.
  let homes: [[[String]]]
  /// Paths of the collections in which an operation creates items, in segments.
  let creations: Set<[String]>
  let collectionNames: CollectionNames
  /// By place: the query of the list that supplies its values, for the first parameter that takes them.
  private var fields: [[String]: String] = [:]
  /// By operation: the names that its steps save from the response.
  var wanted: [Int: [DraftedSave]] = [:]
  var names = VariableNames()
  let shapes: [PathShape]
  /// Operations that a step calls.
  var called: Set<Int> = []
  /// Operations that no step calls, with the reasons.
  private(set) var left: [LeftOut] = []
  /// The results of a calm run.
  var measured = ScenarioDraft.Options(contract: "")
  /// The reason why sessions of the calm run did not reach their last step; nil if they did.
  var ending: String?

  init(_ contract: Contract, _ producers: Producers, _ rule: WriteRule) {
    self.contract = contract
    (self.producers, self.rule) = (producers, rule)
    writer = CallDraft(contract)
    let shapes = contract.operations.map { PathShape($0.path) }
    homes = shapes.enumerated().map { index, shape in
      shape.parameters.map { producers.home(of: $0, source: producers.source(of: $0, in: index)) }
    }
    creations = Set(zip(contract.operations, shapes).filter { $0.0.method == "POST" }.map(\.1.segments))
      .intersection(Set(homes.joined()))
    collectionNames = CollectionNames(creations.union(producers.listed), contract)
    self.shapes = shapes
  }

  mutating func steps(for operations: [Int], _ options: ScenarioDraft.Options) -> [DraftedStep] {
    measured = options
    writer.conflicting = options.conflicting
    writer.login = options.login
    if options.login != nil { _ = names.new(DraftLogin.token) }
    (writer.refused, writer.errors, writer.excerpts) = (options.refused, options.errors, options.excerpts)
    for operation in operations { findSources(of: operation) }
    let all = operations + producers(of: operations)
    for operation in all { noteWanted(by: operation) }
    var open = operations.sorted { (rank($0), $0) < (rank($1), $1) }
    let steps = write(&open, Known())
    for operation in open where !foreign.contains(operation) && !left.contains(where: { $0.operation == id(operation) })
    {
      leave(operation, reason(operation))
    }
    return steps
  }

  /// The operations outside the session whose responses supply inputs, and those that supply the inputs of these.
  private mutating func producers(of operations: [Int]) -> [Int] {
    var found: [Int] = []
    var open = operations
    while let operation = open.popLast() {
      for source in sources[operation] ?? [] {
        guard let producer = source?.producer, sources[producer] == nil else { continue }
        findSources(of: producer)
        found.append(producer)
        open.append(producer)
      }
    }
    return found
  }

  /// The values available to the steps at a place.
  struct Known {
    /// Values of path parameters, by the segments before them.
    var values: [[String]: String] = [:]
    /// The values of these that the session has created itself.
    var own: Set<[String]> = []
    /// Places whose own items may not exist yet: a response with status 202 gave their names.
    var pending: Set<[String]> = []
    /// Places at which the session has tried to create an item.
    var tried: Set<[String]> = []
    /// Operations whose responses have been saved from.
    var called: Set<Int> = []
    /// Versions from the response to a creation, by the item's path and the field's name.
    var versions: [[String]: [String: String]] = [:]
  }

  func shape(_ operation: Int) -> PathShape { shapes[operation] }

  /// The path parameters with the places of their values. A place is the segments before the parameter. It includes the
  /// field of the list if another parameter at that place takes another field.
  func parameters(of operation: Int) -> [(name: String, prefix: [String])] {
    zip(shape(operation).parameters, sources[operation] ?? []).map { parameter, source in
      guard case .list(_, let query)? = source, let first = fields[parameter.prefix], first != query else {
        return parameter
      }
      return (parameter.name, parameter.prefix + ["{} " + query])
    }
  }

  mutating func findSources(of operation: Int) {
    let found = shape(operation).parameters.map { producers.source(of: $0, in: operation) }
    sources[operation] = found
    references[operation] = foreignItems(in: operation)
    for (parameter, source) in zip(shape(operation).parameters, found) {
      if case .list(_, let query)? = source, fields[parameter.prefix] == nil { fields[parameter.prefix] = query }
    }
  }
  func id(_ operation: Int) -> String { contract.operations[operation].id }
  func method(_ operation: Int) -> String { contract.operations[operation].method }

  /// Lists and other operations without parameters come first, and deletions come last.
  private func rank(_ operation: Int) -> Int {
    switch method(operation) {
    case "GET", "HEAD", "OPTIONS", "QUERY": shape(operation).isItem ? 2 : 0
    case "POST": isCreation(operation) ? 1 : shape(operation).parameters.isEmpty ? 0 : 3
    case "DELETE": 5
    default: 4
    }
  }

  /// True for a POST to a place that has single items below it.
  func isCreation(_ operation: Int) -> Bool {
    method(operation) == "POST" && !shape(operation).isItem && creations.contains(shape(operation).segments)
  }

  mutating func leave(_ operation: Int, _ cause: LeftOut.Reason) {
    left.append(LeftOut(operation: id(operation), cause: cause))
  }

  /// Records that the responses that `operation` needs must save its inputs.
  private mutating func noteWanted(by operation: Int) {
    for (parameter, source) in zip(parameters(of: operation), sources[operation] ?? []) {
      switch source {
      case .list(let list, let query)? where saved(list, query) == nil:
        wanted[list, default: []].append(
          DraftedSave(name: names.new(noun(parameter.prefix) + "Ids"), source: .body(query)))
      case .link(let other, let query)? where saved(other, query) == nil:
        wanted[other, default: []].append(
          DraftedSave(name: names.new(parameter.name), source: .body(query), isOptional: true))
      default: break
      }
    }
  }

  func saved(_ operation: Int, _ query: String) -> String? {
    wanted[operation]?.first { $0.path == query }?.name
  }

  func noun(_ prefix: [String]) -> String {
    DraftNames.variable(DraftNames.singular(prefix.last { !$0.contains("{}") } ?? "thing"))
  }
}

/// Items of other collections that bodies name. A server may attach new items to them, so they must be the session's
/// own.
extension SessionDraft {
  struct Reference {
    var pointer: JSONPointer
    /// The field: `project_id`.
    var name: String
    /// The path of the collection, in segments.
    var place: [String]
  }

  /// Fields of a request body that name items which an operation creates, changes or deletes. With `--operation`, they
  /// may be any items.
  func foreignItems(in operation: Int) -> [Reference] {
    let described = contract.operations[operation]
    guard described.requestBody != nil, !WriteRule.isSafe(described.method), !rule.isNamed(described) else { return [] }
    var writer = writer
    guard let body = try? writer.call(operation, path: []).body else { return [] }
    return collectionNames.references(in: body.tree).compactMap { pointer, name in
      guard let place = collectionNames[name], place != shape(operation).segments,
        // A creation may name an item of a list without write operations. That item is a class, such as a category. If
        // another POST names such an item, it acts on that item.
        rule.changesItems(of: place) || rule.isAction(described) && producers.list(at: place) != nil,
        shape(operation).segments != place + ["{}"]
      else { return nil }
      return Reference(pointer: pointer, name: name, place: place)
    }
  }

  /// The places of the items that the session must create before it may call the operation.
  func ownItems(of operation: Int) -> [[String]] {
    [ownItem(of: operation)].compactMap(\.self) + (references[operation] ?? []).map(\.place)
  }

  func takes(_ places: Set<[String]>, _ operation: Int) -> Bool {
    parameters(of: operation).contains { places.contains($0.prefix) }
      || (references[operation] ?? []).contains { places.contains($0.place) }
  }

  /// Makes the body name the session's own items. A string stays one, even if the item has a number.
  func refer(_ call: inout DraftedCall, _ operation: Int, _ known: Known) {
    for reference in references[operation] ?? [] where known.own.contains(reference.place) {
      guard let name = known.values[reference.place] else { continue }
      let isText = call.body.flatMap { reference.pointer.resolve(in: $0.tree) }?.string != nil
      let expression = isText && collectionNames.hasNumbers(reference.place) ? "text(\(name))" : name
      call.body?.set(.string("${\(expression)}"), at: reference.pointer)
    }
  }
}
