import MurphyContract
import MurphyScenario
import MurphySchema

/// One chain while it is put together: its steps so far, and the things that they name.
struct ChainDraft {
  private var planner: ChainPlanner
  private let policy: ChainPlanner.Policy
  private let recipe: CallSample.Recipe
  private var steps: [ExploreCall] = []
  /// By the segments of the thing's path.
  private var known: [[String]: CallValue] = [:]
  /// Operations that wait for the one that is drafted, so that none waits for itself.
  private var open: [Int] = []
  /// Nobody needs a longer chain.
  private static let longest = 8

  private var index: ProducerIndex { planner.index }

  init(_ planner: ChainPlanner, _ policy: ChainPlanner.Policy, _ recipe: CallSample.Recipe) {
    self.planner = planner
    self.policy = policy
    self.recipe = recipe
  }

  /// The requests of a call, itself last; nil where a value of it is not known.
  mutating func chain(_ operation: Int) -> [ExploreCall]? {
    guard let call = call(operation), steps.count < Self.longest else { return nil }
    return steps + [call]
  }

  /// Adds the steps that the call needs.
  private mutating func call(_ operation: Int) -> ExploreCall? {
    guard planner.mayCall(operation), !open.contains(operation), open.count < Self.longest,
      var call = planner.plain(operation, recipe)
    else { return nil }
    open.append(operation)
    defer { open.removeLast() }
    for parameter in index.shapes[operation].parameters {
      let key = parameter.prefix + ["{}"]
      let link = index.linked[operation]?[parameter.name]
      guard
        let value = known[key] ?? produced(parameter.prefix, parameter.name, link: link)
          ?? newName(parameter, operation) ?? planner.given(parameter.name, operation)
      else { return nil }
      if !parameter.prefix.isEmpty { known[key] = value }
      call.path[parameter.name] = value
    }
    refer(&call)
    chooseNames(&call)
    if policy == .made {
      if let earlier = index.before[operation], let step = step(earlier) { steps.append(step) }
      put(before: call)
      populate(call)
    }
    register(&call)
    condition(&call)
    return call
  }

  /// A name that no other item has, where a PUT at its own path creates one.
  private func newName(_ parameter: (name: String, prefix: [String]), _ operation: Int) -> CallValue? {
    guard policy == .made, index.makers[parameter.prefix] == nil,
      let put = index.items(of: parameter.prefix)["PUT"], planner.mayCall(put),
      index.contract.operations[put].takesNewName(index.shapes[put].parameters.last?.name ?? "")
    else { return nil }
    return .drawn(parameter.prefix.joined(separator: "/"))
  }

  /// Where the client chooses the name of what it creates, the name is new in each run: a server may replace or return
  /// what has that name. What is new has no version yet.
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

  /// The call with the steps that it needs; without it nothing is added.
  private mutating func step(_ operation: Int) -> ExploreCall? {
    let before = (steps, known)
    if let call = call(operation) { return call }
    (steps, known) = before
    return nil
  }

  /// The thing of a collection, by an answer to a step that is added; nil where none tells.
  private mutating func produced(
    _ segments: [String], _ name: String, link: ProducerIndex.Producer? = nil
  ) -> CallValue? {
    guard policy != .named else { return nil }
    let places = [segments, index.collections[name]].compactMap(\.self)
    let sources = policy == .made ? [index.makers, index.lists] : [index.lists, index.makers]
    var producers = sources.flatMap { source in places.compactMap { source[$0] } }
    if let link { producers.insert(link, at: index.makers[segments] == nil && policy == .made ? 0 : producers.count) }
    for producer in producers {
      guard let step = step(producer.operation) else { continue }
      steps.append(step)
      return .answer(step: steps.count - 1, producer.place.ofItem(item(of: producer.operation)))
    }
    return nil
  }

  /// Which item of a list is taken.
  private func item(of list: Int) -> Int {
    switch policy {
    case .made, .named: 0
    case .listed: planner.fullest[list]?.first ?? 0
    case .another: planner.fullest[list]?.dropFirst().first ?? 1
    }
  }

  /// Things of other collections that the body names.
  private mutating func refer(_ call: inout ExploreCall) {
    guard let body = call.body, policy != .named else { return }
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

  /// A list below a thing that was just made is empty: two items make it worth reading.
  private mutating func populate(_ call: ExploreCall) {
    let segments = index.shapes[call.operation].segments
    guard !steps.isEmpty, !call.path.isEmpty, index.lists[segments]?.operation == call.operation,
      steps.count + 2 < Self.longest, let maker = index.makers[segments],
      let making = planner.call(maker.operation, recipe, like: call),
      BodyNames.references(in: making.body ?? .null).isEmpty
    else { return }
    steps += [making, making]
  }

  /// A thing that nobody can make but by `PUT` at its own path is put there first.
  private mutating func put(before call: ExploreCall) {
    let path = index.shapes[call.operation]
    let segments = path.isItem ? path.segments : Array(path.segments.dropLast())
    let collection = Array(segments.dropLast())
    guard segments.last == "{}", index.makers[collection] == nil, let put = index.items(of: collection)["PUT"],
      put != call.operation, !open.contains(put), planner.mayCall(put),
      var making = planner.call(put, recipe, like: call)
    else { return }
    chooseNames(&making)
    steps.append(making)
  }

  /// A password is one that was given before: the same members as another operation's body that makes the user.
  private mutating func register(_ call: inout ExploreCall) {
    guard case .object(let body)? = call.body,
      let secret = body.keys.first(where: { $0.lowercased().contains("password") })
    else { return }
    for maker in index.makers.values.sorted(by: { $0.operation < $1.operation }) where maker.operation != call.operation
    {
      guard index.shapes[maker.operation].parameters.isEmpty, let making = planner.plain(maker.operation, recipe),
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

  /// `If-Match` with the tag that the thing has now.
  private mutating func condition(_ call: inout ExploreCall) {
    let operation = index.contract.operations[call.operation]
    // What a PUT is about to create has no tag.
    let item = index.shapes[call.operation].parameters.last?.name ?? ""
    if operation.method == "PUT", case .drawn? = call.path[item] { return }
    let takes = operation.parameters.contains { $0.location == .header && $0.name.lowercased() == "if-match" }
    guard takes, let reading = planner.item("GET", like: call), reading.operation != call.operation else { return }
    steps.append(reading)
    call.headers.append(ExploreCall.Named(name: "If-Match", value: .answer(step: steps.count - 1, .header("etag"))))
  }
}
