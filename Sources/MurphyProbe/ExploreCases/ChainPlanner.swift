import MurphyContract
import MurphyScenario
import MurphySchema

/// Finds the requests that must precede a call. Their responses provide the values of its path, its body and its
/// conditions.
struct ChainPlanner {
  /// The source of the items that a call needs.
  enum Policy: CaseIterable {
    /// A new item is created for each run.
    case made
    /// The item of a list that has the most values. The first one of a list that was not read yet.
    case listed
    /// The item with the second most values.
    case another
    /// As `listed`, but the document names the last item of the path. Its list may be empty.
    case outer
    /// As `made`, but another field of the item's response identifies it in the path.
    case renamed
    /// An item that the document names.
    case named
    /// An item that does not exist. It tests a write for which no item can be created: it changes nothing.
    case unknown

    /// True if it prefers new items to those of lists.
    var creates: Bool { self == .made || self == .renamed }
  }

  private(set) var index: ProducerIndex
  private var sample: CallSample
  private let excluded: Set<Int>
  private let rule: WriteRule
  /// By list operation: its items, those with the most values first.
  var fullest: [Int: [Int]] = [:]
  /// By operation: its successful request, without values from other responses.
  var proven: [Int: ExploreCall] = [:]

  init(_ setting: ExploreConfiguration) {
    index = ProducerIndex(setting.contract)
    sample = CallSample(setting.contract)
    excluded = Set(setting.excluded.keys)
    rule = setting.rule
  }

  /// A request that prepares another one, without values of its path: one that has succeeded, if there is one.
  mutating func step(_ operation: Int, _ recipe: CallSample.Recipe) -> ExploreCall? {
    if recipe != .full, let proven = proven[operation] { return proven }
    // The search of the operation itself tries the variants of its body.
    return sample.call(operation, [.filled, .other, .least].contains(recipe) ? .new : recipe)
  }

  /// True if a request of the operation may be sent.
  func mayCall(_ operation: Int) -> Bool { !excluded.contains(operation) }

  /// True if the operation's path names an item.
  func takesItem(_ operation: Int) -> Bool { !index.shapes[operation].parameters.isEmpty }

  /// Uses lists that the document does not describe.
  mutating func learn(_ lists: [Int: JSONPointer]) { index.add(lists) }

  /// The requests of a call, the call itself last; nil if one of its values is unknown.
  func chain(_ operation: Int, _ policy: Policy, _ recipe: CallSample.Recipe) -> [ExploreCall]? {
    var draft = ChainDraft(self, policy, recipe)
    return draft.chain(operation)
  }

  /// True if one of the requests changes an item that no earlier request has created.
  func changesOthers(_ steps: [ExploreCall]) -> Bool {
    steps.contains { call in
      let operation = index.contract.operations[call.operation]
      return (rule.needsOwnItem(operation) && !Self.isOwn(call, steps, index.contract)) || refersToOthers(call, steps)
    }
  }

  /// True if the case changes a reference in the body to an item that none of its requests has created.
  func refersToOthers(_ one: ExploreCase) -> Bool {
    if one.category == .negative, let value = one.value {
      guard Self.mayNameItem(value) else { return false }
      if namesForeignItem(one.place, one.call.operation) { return true }
    }
    return refersToOthers(one.call, one.steps)
  }

  /// True if the operation may affect the item of the collection that its body names. This applies to collections with
  /// operations that change items. An action, which creates nothing itself, may affect items of any listed collection.
  private func isForeign(_ collection: [String], to operation: Int) -> Bool {
    let own = index.shapes[operation].segments
    if collection == own { return false }
    return rule.changesItems(of: collection)
      || index.lists[collection] != nil && rule.isAction(index.contract.operations[operation])
  }

  /// True if a place such as `body /task/project` contains the name of an item that an operation creates.
  private func namesForeignItem(_ place: String, _ operation: Int) -> Bool {
    let described = index.contract.operations[operation]
    guard place.hasPrefix("body /"), !WriteRule.isSafe(described.method), !rule.isNamed(described),
      let name = place.split(separator: "/").last, let collection = index.collections[String(name)]
    else { return false }
    return isForeign(collection, to: operation)
  }

  /// True if a server may interpret a value of a wrong type as the name of an item. Many read `true`, `1.5` and `"1"`
  /// as 1.
  private static func mayNameItem(_ value: JSONValue) -> Bool {
    switch value {
    case .number, .bool: true
    case .string(let text): text.contains { $0.isNumber }
    case .null, .array, .object: false
    }
  }

  /// True if the body of a write names an item that none of the requests has created. Its collection must have a
  /// creating operation. A server may attach the sent data to it.
  private func refersToOthers(_ call: ExploreCall, _ steps: [ExploreCall]) -> Bool {
    let operation = index.contract.operations[call.operation]
    guard let body = call.body, !WriteRule.isSafe(call.method ?? operation.method), !rule.isNamed(operation) else {
      return false
    }
    return index.collections.references(in: body).contains { pointer, name in
      guard let collection = index.collections[name], isForeign(collection, to: call.operation) else {
        return false
      }
      switch call.references[pointer] {
      case .response(let step, _)?: return index.contract.operations[steps[step].operation].method != "POST"
      case .sent?, .drawn?: return false
      case .literal?, nil: return call.fresh[pointer] == nil
      }
    }
  }

  /// True if the item of a call was created by an earlier step, or has a unique name.
  static func isOwn(_ call: ExploreCall, _ steps: [ExploreCall], _ contract: Contract) -> Bool {
    guard let item = WriteRule.item(in: contract.operations[call.operation].path) else { return false }
    switch call.path[item.name] {
    // Below another client's item a new name may start or change something of that client.
    case .drawn?:
      return PathShape(contract.operations[call.operation].path).parameters.allSatisfy { parameter in
        switch call.path[parameter.name] {
        case .drawn?, .sent?: true
        case .response(let step, _)?:
          contract.operations[steps[step].operation].method == "POST" || !isChanged(parameter.prefix, contract)
        case .literal?, nil: !isChanged(parameter.prefix, contract)
        }
      }
    case .response(let step, _)?, .sent(let step, _)?:
      return contract.operations[steps[step].operation].method == "POST"
    default: return false
    }
  }

  /// True if an operation creates, changes or deletes the items of a place.
  private static func isChanged(_ place: [String], _ contract: Contract) -> Bool {
    contract.operations.contains { operation in
      let segments = PathShape(operation.path).segments
      return operation.method == "POST" && segments == place
        || ["PUT", "PATCH", "DELETE"].contains(operation.method) && segments == place + ["{}"]
    }
  }

  /// A call of an operation for the item of another call. Nil if that call does not provide the whole path.
  ///
  /// - Parameter last: the value of the last parameter, if the other call names only the collection.
  mutating func call(
    _ operation: Int, _ recipe: CallSample.Recipe, like other: ExploreCall, last: CallValue? = nil
  ) -> ExploreCall? {
    guard var call = step(operation, recipe) else { return nil }
    let named = index.shapes[other.operation]
    for parameter in index.shapes[operation].parameters {
      let value =
        parameter.prefix == named.segments
        ? last : named.parameters.first { $0.prefix == parameter.prefix }.flatMap { other.path[$0.name] }
      guard let value else { return nil }
      call.path[parameter.name] = value
    }
    return call
  }

  /// The call of an item operation for the item of another call; nil if there is none.
  mutating func item(_ method: String, like call: ExploreCall) -> ExploreCall? {
    let collection = Array(index.shapes[call.operation].segments.dropLast())
    return index.items(of: collection)[method].flatMap { self.call($0, .given, like: call) }
  }

  /// The call that reads the item that the last of these steps has created or changed. Nil if no operation does.
  mutating func reading(after steps: [ExploreCall]) -> ExploreCall? {
    guard let call = steps.last else { return nil }
    let segments = index.shapes[call.operation].segments
    guard let maker = index.makers[segments], maker.operation == call.operation else {
      return index.contract.operations[call.operation].method == "DELETE" ? nil : item("GET", like: call)
    }
    return index.items(of: segments)["GET"].flatMap {
      self.call($0, .given, like: call, last: maker.value(afterStep: steps.count - 1))
    }
  }

  /// The minimal valid call of an operation, without values of its path.
  mutating func plain(_ operation: Int, _ recipe: CallSample.Recipe) -> ExploreCall? { sample.call(operation, recipe) }

  /// The way to generate a string of the call's body; nil for one that its schema fixes.
  func freshness(of call: ExploreCall, at place: JSONPointer) -> Freshness? {
    let contract = index.contract
    guard let body = call.body, let operation = contract.operations[call.operation].requestBody,
      let schema = operation.content.first(where: { $0.range.text == call.mediaType })?.schema
    else { return nil }
    return FreshPlaces(contract: contract, patterns: true).places(of: schema, in: body)[place]
  }

  /// The value of a path parameter in the document.
  mutating func given(_ name: String, _ operation: Int) -> CallValue? {
    index.contract.operations[operation].parameters.first { $0.name == name && $0.location == .path }
      .flatMap { sample.value(of: $0) }
  }
}
