import MurphyContract
import MurphyScenario
import MurphySchema

/// One chain under construction: its steps so far, and the items that they name.
struct ChainDraft {
  private var planner: ChainPlanner
  private let policy: ChainPlanner.Policy
  private let recipe: CallSample.Recipe
  private var steps: [ExploreCall] = []
  /// By the segments of the item's path.
  private var known: [[String]: CallValue] = [:]
  /// Operations that wait for the current one, so that none waits for itself.
  private var open: [Int] = []
  /// A longer chain is not needed.
  private static let longest = 8

  private var index: ProducerIndex { planner.index }

  init(_ planner: ChainPlanner, _ policy: ChainPlanner.Policy, _ recipe: CallSample.Recipe) {
    self.planner = planner
    self.policy = policy
    self.recipe = recipe
  }

  /// The requests of a call, the call itself last; nil if one of its values is unknown.
  mutating func chain(_ operation: Int) -> [ExploreCall]? {
    guard let call = call(operation), steps.count < Self.longest else { return nil }
    return steps + [call]
  }

  /// Adds the steps that the call needs.
  private mutating func call(_ operation: Int) -> ExploreCall? {
    guard planner.mayCall(operation), !open.contains(operation), open.count < Self.longest,
      var call = (open.isEmpty ? planner.plain(operation, recipe) : planner.step(operation, recipe))
    else { return nil }
    open.append(operation)
    defer { open.removeLast() }
    for parameter in index.shapes[operation].parameters {
      let key = parameter.prefix + ["{}"]
      let link = index.linked[operation]?[parameter.name]
      let isLast = parameter.name == index.shapes[operation].parameters.last?.name
      let isOwn = open.count == 1 && isLast
      if policy == .unknown {
        guard index.contract.operations[operation].takesNewName(parameter.name) else { return nil }
        call.path[parameter.name] = .drawn(parameter.prefix.joined(separator: "/"))
        continue
      }
      guard
        let value = known[key] ?? (link == nil ? newName(parameter, operation, by: "POST") : nil)
          ?? (policy == .outer && isOwn
            ? nil : produced(parameter.prefix, parameter.name, link: link, renames: policy == .renamed && isOwn))
          ?? newName(parameter, operation, by: "PUT") ?? planner.given(parameter.name, operation)
      else { return nil }
      if !parameter.prefix.isEmpty { known[key] = value }
      call.path[parameter.name] = value
    }
    refer(&call)
    chooseNames(&call)
    if policy.creates {
      if let earlier = index.before[operation], let step = step(earlier) { steps.append(step) }
      put(before: call)
      populate(call)
    }
    register(&call)
    condition(&call)
    return call
  }

  /// A name that no other item has, if a request with this method at its own path creates one.
  private func newName(
    _ parameter: (name: String, prefix: [String]), _ operation: Int, by method: String
  ) -> CallValue? {
    guard policy.creates, index.makers[parameter.prefix] == nil,
      let put = index.namedMaker(of: parameter.prefix), planner.mayCall(put),
      index.contract.operations[put].method == method,
      index.contract.operations[put].takesNewName(index.shapes[put].parameters.last?.name ?? "")
    else { return nil }
    return .drawn(parameter.prefix.joined(separator: "/"))
  }

  /// If the client chooses the name of a new item, the name is new in each run. A server may replace or return an
  /// existing item with that name. A new item has no version yet.
  private func chooseNames(_ call: inout ExploreCall) {
    let shape = index.shapes[call.operation]
    guard case .object(let body)? = call.body else { return }
    if let name = index.chosenName(call.operation), let value = body[name] {
      let place = JSONPointer(tokens: [name])
      if case .number = value { call.fresh[place] = .number }
      if case .string = value, call.fresh[place] == nil { call.fresh[place] = planner.freshness(of: call, at: place) }
    }
    guard let item = shape.parameters.last?.name, case .drawn? = call.path[item] else { return }
    for member in body.members where member.value.int != nil && VersionNames.holds(member.key) {
      call.body = call.body?.replacing(at: [member.key][...], with: 0) ?? call.body
    }
  }

  /// The call with the steps that it needs; without the call nothing is added.
  private mutating func step(_ operation: Int) -> ExploreCall? {
    let before = (steps, known)
    if let call = call(operation) { return call }
    (steps, known) = before
    return nil
  }

  /// An item of a collection, from a response to an added step; nil if no response names one.
  private mutating func produced(
    _ segments: [String], _ name: String, link: ProducerIndex.Producer? = nil, renames: Bool = false
  ) -> CallValue? {
    guard policy != .named, policy != .unknown else { return nil }
    let places = [segments, index.collections[name]].compactMap(\.self)
    let sources = policy.creates ? [index.makers, index.lists] : [index.lists, index.makers]
    var producers = sources.flatMap { source in places.compactMap { source[$0] } }
    if let link { producers.insert(link, at: index.makers[segments] == nil && policy.creates ? 0 : producers.count) }
    if renames { producers = producers.compactMap(index.renamed) }
    for producer in producers {
      guard let item = item(of: producer.operation), let step = step(producer.operation) else { continue }
      steps.append(step)
      if producer.sent != nil { return producer.value(afterStep: steps.count - 1) }
      return .response(step: steps.count - 1, producer.place.ofItem(item))
    }
    return renames ? nil : named(segments, name)
  }

  /// A field of an item that a longer path names: `/flows/name/{name}` has the name of an item of `/flows`.
  private mutating func named(_ segments: [String], _ name: String) -> CallValue? {
    let collection = Array(segments.dropLast())
    guard segments.last == name, policy.creates || policy == .listed else { return nil }
    if policy.creates {
      guard let maker = index.makers[collection], let step = step(maker.operation) else { return nil }
      steps.append(step)
      let pointer = JSONPointer(tokens: [name])
      return step.body?[name]?.string == nil
        ? .response(step: steps.count - 1, .body(pointer)) : .sent(step: steps.count - 1, pointer)
    }
    guard let list = index.lists[collection], case .body(let pointer) = list.place, pointer.tokens.last != "0",
      let item = item(of: list.operation), let step = step(list.operation)
    else { return nil }
    steps.append(step)
    let place = ResponsePlace.body(JSONPointer(tokens: pointer.tokens.dropLast() + [name]))
    return .response(step: steps.count - 1, place.ofItem(item))
  }

  /// The index of the item that is taken from a list; nil if the list has too few.
  private func item(of list: Int) -> Int? {
    switch policy {
    case .made, .renamed, .named, .unknown: return 0
    case .listed, .outer: return planner.fullest[list]?.first ?? 0
    case .another:
      guard let ranked = planner.fullest[list] else { return 1 }
      return ranked.count > 1 ? ranked[1] : nil
    }
  }

  /// Adds references to items of other collections that the body contains.
  private mutating func refer(_ call: inout ExploreCall) {
    guard let body = call.body, policy != .named, policy != .unknown else { return }
    for (pointer, name) in index.collections.references(in: body) {
      guard let collection = index.collections[name], index.shapes[call.operation].segments != collection else {
        continue
      }
      let key = collection + ["{}"]
      guard let value = known[key] ?? produced(collection, name) else { continue }
      known[key] = value
      call.references[pointer] = value
      call.fresh[pointer] = nil
    }
  }

  /// A list below a new item is empty, so two items are created for a useful response.
  private mutating func populate(_ call: ExploreCall) {
    let segments = index.shapes[call.operation].segments
    guard !steps.isEmpty, !call.path.isEmpty, index.lists[segments]?.operation == call.operation,
      steps.count + 2 < Self.longest, let maker = index.makers[segments],
      let making = planner.call(maker.operation, recipe, like: call),
      BodyNames.references(in: making.body ?? .null).isEmpty
    else { return }
    steps += [making, making]
  }

  /// An item that can only be created by a request at its own path is created first.
  private mutating func put(before call: ExploreCall) {
    let path = index.shapes[call.operation]
    let segments = path.isItem ? path.segments : Array(path.segments.dropLast())
    let collection = Array(segments.dropLast())
    guard segments.last == "{}", index.makers[collection] == nil, let put = index.namedMaker(of: collection),
      put != call.operation, !open.contains(put), planner.mayCall(put),
      var making = planner.call(put, recipe, like: call)
    else { return }
    chooseNames(&making)
    steps.append(making)
  }

  /// A login needs a registered password: another operation with the same fields in its body creates the user first.
  private mutating func register(_ call: inout ExploreCall) {
    guard case .object(let body)? = call.body,
      let secret = body.keys.first(where: { $0.lowercased().contains("password") })
    else { return }
    for maker in index.makers.values.sorted(by: { $0.operation < $1.operation }) where maker.operation != call.operation
    {
      guard index.shapes[maker.operation].parameters.isEmpty,
        let making = planner.step(maker.operation, recipe),
        case .object(let made)? = making.body, made[secret] != nil
      else { continue }
      let shared = body.keys.filter { made[$0] != nil }
      guard shared.count > 1 else { continue }
      steps.append(making)
      for name in shared {
        let pointer = JSONPointer(tokens: [name])
        call.references[pointer] = .sent(step: steps.count - 1, pointer)
        call.fresh[pointer] = nil
      }
      return
    }
  }

  /// Sets `If-Match` to the item's current entity tag.
  private mutating func condition(_ call: inout ExploreCall) {
    let operation = index.contract.operations[call.operation]
    // An item that a PUT will create has no entity tag.
    let item = index.shapes[call.operation].parameters.last?.name ?? ""
    if operation.method == "PUT", case .drawn? = call.path[item] { return }
    let takes = operation.parameters.contains { $0.location == .header && $0.name.lowercased() == "if-match" }
    guard takes, let reading = planner.item("GET", like: call), reading.operation != call.operation else { return }
    steps.append(reading)
    call.headers.append(ExploreCall.Named(name: "If-Match", value: .response(step: steps.count - 1, .header("etag"))))
  }
}
