import MurphyContract
import MurphyScenario
import MurphySchema

/// Finds the requests that must come before a call: those whose answers give the values of its path, its body and its
/// conditions.
struct ChainPlanner {
  /// Where the things come from that a call needs.
  enum Policy: CaseIterable {
    /// A new one is made for each run.
    case made
    /// The item of a list that has the most values; the first one of a list that was not seen yet.
    case listed
    /// The one that has the second most.
    case another
    /// The document names one.
    case named
  }

  let index: ProducerIndex
  private var sample: CallSample
  private let excluded: Set<Int>
  private let rule: WriteRule
  /// By list operation: its items, those with the most values first.
  var fullest: [Int: [Int]] = [:]

  init(_ setting: ExploreConfiguration) {
    index = ProducerIndex(setting.contract)
    sample = CallSample(setting.contract)
    excluded = Set(setting.excluded.keys)
    rule = setting.rule
  }

  /// Whether a request of the operation may be sent at all.
  func mayCall(_ operation: Int) -> Bool { !excluded.contains(operation) }

  /// The requests of a call, itself last; nil where a value of it is not known.
  func chain(_ operation: Int, _ policy: Policy, _ recipe: CallSample.Recipe) -> [ExploreCall]? {
    var draft = ChainDraft(self, policy, recipe)
    return draft.chain(operation)
  }

  /// Whether one of the requests changes an item that none before it has created.
  func changesOthers(_ steps: [ExploreCall]) -> Bool {
    steps.contains { call in
      let operation = index.contract.operations[call.operation]
      return (rule.needsOwnItem(operation) && !Self.isOwn(call, steps, index.contract)) || refersToOthers(call, steps)
    }
  }

  /// Whether a case tries an item in the body that none of its requests has created.
  func refersToOthers(_ one: ExploreCase) -> Bool {
    if one.category == .negative, let value = one.value {
      guard Self.mayNameItem(value) else { return false }
      if namesForeignItem(one.place, one.call.operation) { return true }
    }
    return refersToOthers(one.call, one.steps)
  }

  /// Whether an operation may act on an item of the collection that its body names: on one that others change, and where it
  /// creates nothing itself, on any.
  private func isForeign(_ collection: [String], to operation: Int) -> Bool {
    let own = index.shapes[operation].segments
    if collection == own { return false }
    return rule.changesItems(of: collection)
      || index.lists[collection] != nil && rule.isAction(index.contract.operations[operation])
  }

  /// Whether a place such as `body /task/project` holds the name of an item that an operation creates.
  private func namesForeignItem(_ place: String, _ operation: Int) -> Bool {
    let described = index.contract.operations[operation]
    guard place.hasPrefix("body /"), !WriteRule.isSafe(described.method), !rule.isNamed(described),
      let name = place.split(separator: "/").last, let collection = index.collections[String(name)]
    else { return false }
    return isForeign(collection, to: operation)
  }

  /// Whether a server may take a value of a wrong type for the name of an item: many read `true`, `1.5` and `"1"` as 1.
  private static func mayNameItem(_ value: JSONValue) -> Bool {
    switch value {
    case .number, .bool: true
    case .string(let text): text.contains { $0.isNumber }
    case .null, .array, .object: false
    }
  }

  /// Whether the body of a write names an item of a collection in which an operation creates items, and none of the
  /// requests has created that item. A server may attach to it what is sent.
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
      case .answer(let step, _)?: return index.contract.operations[steps[step].operation].method != "POST"
      case .sent?, .drawn?: return false
      case .literal?, nil: return call.fresh[pointer] == nil
      }
    }
  }

  /// Whether the item that a call names was created by an earlier step, or has a name that no other has.
  static func isOwn(_ call: ExploreCall, _ steps: [ExploreCall], _ contract: Contract) -> Bool {
    guard let item = WriteRule.item(in: contract.operations[call.operation].path) else { return false }
    switch call.path[item.name] {
    // Below an item of others a new name may start or change something of theirs.
    case .drawn?:
      return PathShape(contract.operations[call.operation].path).parameters.allSatisfy { parameter in
        switch call.path[parameter.name] {
        case .drawn?, .sent?: true
        case .answer(let step, _)?:
          contract.operations[steps[step].operation].method == "POST" || !isChanged(parameter.prefix, contract)
        case .literal?, nil: !isChanged(parameter.prefix, contract)
        }
      }
    case .answer(let step, _)?: return contract.operations[steps[step].operation].method == "POST"
    default: return false
    }
  }

  /// Whether an operation creates, changes or deletes the items of a place.
  private static func isChanged(_ place: [String], _ contract: Contract) -> Bool {
    contract.operations.contains { operation in
      let segments = PathShape(operation.path).segments
      return operation.method == "POST" && segments == place
        || ["PUT", "PATCH", "DELETE"].contains(operation.method) && segments == place + ["{}"]
    }
  }

  /// A call of an operation about the thing that another call is about; nil where that does not name all of its path.
  ///
  /// - Parameter last: the value of the last parameter, where the other call names only the collection.
  mutating func call(
    _ operation: Int, _ recipe: CallSample.Recipe, like other: ExploreCall, last: CallValue? = nil
  ) -> ExploreCall? {
    guard var call = sample.call(operation, recipe) else { return nil }
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

  /// The call of an item operation about the thing that another call is about; nil where there is none.
  mutating func item(_ method: String, like call: ExploreCall) -> ExploreCall? {
    let collection = Array(index.shapes[call.operation].segments.dropLast())
    return index.items(of: collection)[method].flatMap { self.call($0, .given, like: call) }
  }

  /// The call that reads what the last of these steps has made or changed; nil where no operation does.
  mutating func reading(after steps: [ExploreCall]) -> ExploreCall? {
    guard let call = steps.last else { return nil }
    let segments = index.shapes[call.operation].segments
    guard let maker = index.makers[segments], maker.operation == call.operation else {
      return index.contract.operations[call.operation].method == "DELETE" ? nil : item("GET", like: call)
    }
    return index.items(of: segments)["GET"].flatMap {
      self.call($0, .given, like: call, last: .answer(step: steps.count - 1, maker.place))
    }
  }

  /// The plainest call of an operation, its path left open.
  mutating func plain(_ operation: Int, _ recipe: CallSample.Recipe) -> ExploreCall? { sample.call(operation, recipe) }

  /// How a text of the call's body is made anew; nil for one that its schema fixes.
  func freshness(of call: ExploreCall, at place: JSONPointer) -> Freshness? {
    let contract = index.contract
    guard let body = call.body, let operation = contract.operations[call.operation].requestBody,
      let schema = operation.content.first(where: { $0.range.text == call.mediaType })?.schema
    else { return nil }
    return FreshPlaces(contract: contract, patterns: true).places(of: schema, in: body)[place]
  }

  /// What the document itself says that a path parameter may be.
  mutating func given(_ name: String, _ operation: Int) -> CallValue? {
    index.contract.operations[operation].parameters.first { $0.name == name && $0.location == .path }
      .flatMap { sample.value(of: $0) }
  }
}
