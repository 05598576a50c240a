import MurphyContract
import MurphyDraft
import MurphyJSON
import MurphyModel

/// Finds the requests that must come before a call: those whose answers give the values of its path, its body and its
/// conditions.
struct ChainPlanner {
  /// Where the things come from that a call needs.
  enum Policy: CaseIterable {
    /// A new one is made for each run.
    case made
    /// The first one of a list.
    case listed
    /// The document names one.
    case named
  }

  /// An answer that names a thing.
  struct Producer {
    var operation: Int
    var place: AnswerPlace
  }

  let contract: Contract
  private let shapes: [PathShape]
  /// By the segments of the collection's path.
  private(set) var makers: [[String]: Producer] = [:]
  private(set) var lists: [[String]: Producer] = [:]
  /// By operation and parameter: the answers that link to it.
  private var linked: [Int: [String: Producer]] = [:]
  /// By operation: those whose answers link to it without a value: it comes after them.
  private var before: [Int: Int] = [:]
  private var sample: CallSample
  /// Nobody needs a longer chain.
  private static let longest = 8

  init(_ contract: Contract) {
    self.contract = contract
    sample = CallSample(contract)
    shapes = contract.operations.map { PathShape($0.path) }
    for shape in ContractRelations(contract).collections {
      let operation = contract.operations[shape.operation]
      guard operation.method == "GET", operation.mistakes.isEmpty else { continue }
      let usual = ["id", "uuid", "key", "slug", "code", "name"].first { shape.fields.contains($0) }
      guard let field = shape.id?.name ?? usual else { continue }
      let place = JSONPointer(tokens: shape.items + ["0", field])
      lists[shapes[shape.operation].segments] = Producer(operation: shape.operation, place: .body(place))
    }
    for (index, operation) in contract.operations.enumerated() where operation.method == "POST" {
      let segments = shapes[index].segments
      guard operation.mistakes.isEmpty, operation.isDocumented, segments.last?.contains("{}") == false,
        makers[segments] == nil, let place = place(of: index, segments)
      else { continue }
      makers[segments] = Producer(operation: index, place: place)
    }
    readLinks()
  }

  /// The `links` of all answers (OpenAPI 3.1 §4.8.20).
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

  /// Where an answer that something was made names it: by its link, its own member, its `Location`.
  private func place(of operation: Int, _ segments: [String]) -> AnswerPlace? {
    let items = contract.operations.indices.filter {
      shapes[$0].isItem && shapes[$0].segments.dropLast() == segments[...]
    }
    guard !items.isEmpty else { return nil }
    let names = items.compactMap { shapes[$0].parameters.last?.name }
    for promise in contract.operations[operation].responses where promise.isSuccess {
      for link in promise.links {
        guard let target = contract.index(of: link.operation), items.contains(target) else { continue }
        if let pointer = names.lazy.compactMap({ link.parameters[$0] }).first { return .body(pointer) }
      }
    }
    // An order to make something names the order, not the thing.
    let isOrder = contract.operations[operation].responses.contains { $0.status == .exactly(202) }
    if isOrder { return nil }
    if let path = contract.successMember(operation, named: names + ["id", "uuid", "key", "slug"]) {
      return .body(JSONPointer(tokens: path))
    }
    return contract.namesLocation(operation) ? .location : nil
  }

  /// The item operations of a collection, by method.
  func items(of segments: [String]) -> [String: Int] {
    let pairs = contract.operations.indices.filter {
      shapes[$0].isItem && shapes[$0].segments.dropLast() == segments[...] && contract.operations[$0].isDocumented
    }.map { (contract.operations[$0].method, $0) }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  func segments(of operation: Int) -> [String] { shapes[operation].segments }

  /// The requests of a call, itself last; nil where a value of it is not known.
  mutating func chain(_ operation: Int, _ policy: Policy, _ recipe: CallSample.Recipe) -> [ExploreCall]? {
    var steps: [ExploreCall] = []
    var known: [[String]: CallValue] = [:]
    guard let call = fill(operation, policy, recipe, &steps, &known, open: []), steps.count < Self.longest else {
      return nil
    }
    return steps + [call]
  }

  /// - Parameter open: operations that wait for this one, so that none waits for itself.
  private mutating func fill(
    _ operation: Int, _ policy: Policy, _ recipe: CallSample.Recipe, _ steps: inout [ExploreCall],
    _ known: inout [[String]: CallValue], open: [Int]
  ) -> ExploreCall? {
    guard !open.contains(operation), open.count < Self.longest, var call = sample.call(operation, recipe) else {
      return nil
    }
    let open = open + [operation]
    for parameter in shapes[operation].parameters {
      let key = parameter.prefix + ["{}"]
      let value =
        known[key]
        ?? produced(
          parameter.prefix, parameter.name, policy, recipe, &steps, &known, open: open,
          link: linked[operation]?[parameter.name])
        ?? given(parameter.name, operation)
      guard let value else { return nil }
      if parameter.prefix.isEmpty == false { known[key] = value }
      call.path[parameter.name] = value
    }
    if let body = call.body, policy != .named {
      for (pointer, noun) in BodyNames.references(in: body) {
        guard let collection = collection(named: noun), shapes[operation].segments != collection else { continue }
        let key = collection + ["{}"]
        guard let value = known[key] ?? produced(collection, noun, policy, recipe, &steps, &known, open: open) else {
          continue
        }
        known[key] = value
        call.references[pointer] = value
        call.fresh[pointer] = nil
      }
    }
    precede(call, policy, recipe, &steps, &known, open: open)
    put(call, policy, recipe, &steps, known, open: open)
    populate(call, policy, recipe, &steps, known)
    register(&call, recipe, &steps)
    condition(&call, &steps)
    return call
  }

  /// What the contract's links say comes before it.
  private mutating func precede(
    _ call: ExploreCall, _ policy: Policy, _ recipe: CallSample.Recipe, _ steps: inout [ExploreCall],
    _ known: inout [[String]: CallValue], open: [Int]
  ) {
    guard policy == .made, let earlier = before[call.operation] else { return }
    var (more, learnt) = (steps, known)
    guard let step = fill(earlier, policy, recipe, &more, &learnt, open: open) else { return }
    (steps, known) = (more + [step], learnt)
  }

  /// A list below a thing that was just made is empty: two items make it worth reading.
  private mutating func populate(
    _ call: ExploreCall, _ policy: Policy, _ recipe: CallSample.Recipe, _ steps: inout [ExploreCall],
    _ known: [[String]: CallValue]
  ) {
    let segments = shapes[call.operation].segments
    guard policy == .made, !steps.isEmpty, !call.path.isEmpty, lists[segments]?.operation == call.operation,
      let maker = makers[segments], var making = sample.call(maker.operation, recipe), steps.count + 2 < Self.longest
    else { return }
    for parameter in shapes[maker.operation].parameters {
      making.path[parameter.name] = path(like: parameter, of: call)
    }
    guard making.path.count == shapes[maker.operation].parameters.count,
      BodyNames.references(in: making.body ?? .null).isEmpty
    else { return }
    steps += [making, making]
  }

  /// A thing that nobody can make but by `PUT` at its own path is put there first.
  private mutating func put(
    _ call: ExploreCall, _ policy: Policy, _ recipe: CallSample.Recipe, _ steps: inout [ExploreCall],
    _ known: [[String]: CallValue], open: [Int]
  ) {
    let path = shapes[call.operation]
    let segments = path.isItem ? path.segments : Array(path.segments.dropLast())
    guard policy == .made, segments.last == "{}", makers[Array(segments.dropLast())] == nil,
      let put = items(of: Array(segments.dropLast()))["PUT"], put != call.operation, !open.contains(put),
      var making = sample.call(put, recipe)
    else { return }
    for parameter in shapes[put].parameters { making.path[parameter.name] = self.path(like: parameter, of: call) }
    guard making.path.count == Set(shapes[put].parameters.map(\.name)).count else { return }
    steps.append(making)
  }

  /// A password is one that was given before: the same members as another operation's body that makes the user.
  private mutating func register(_ call: inout ExploreCall, _ recipe: CallSample.Recipe, _ steps: inout [ExploreCall]) {
    guard case .object(let body)? = call.body,
      let secret = body.keys.first(where: { $0.lowercased().contains("password") })
    else { return }
    for maker in makers.values.sorted(by: { $0.operation < $1.operation }) where maker.operation != call.operation {
      guard let making = sample.call(maker.operation, recipe), case .object(let made)? = making.body,
        making.path.isEmpty, contract.operations[maker.operation].parameters.allSatisfy({ $0.location != .path }),
        made[secret] != nil
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

  /// The thing of a collection, by an answer to a step that is added; nil where none tells.
  private mutating func produced(
    _ segments: [String], _ name: String, _ policy: Policy, _ recipe: CallSample.Recipe, _ steps: inout [ExploreCall],
    _ known: inout [[String]: CallValue], open: [Int], link: Producer? = nil
  ) -> CallValue? {
    guard policy != .named else { return nil }
    let places = [segments, collection(named: name)].compactMap(\.self)
    let sources = policy == .made ? [makers, lists] : [lists, makers]
    var producers = sources.flatMap { source in places.compactMap { source[$0] } }
    if let link { producers.insert(link, at: makers[segments] == nil && policy == .made ? 0 : producers.count) }
    for producer in producers {
      var (before, learnt) = (steps, known)
      guard let step = fill(producer.operation, policy, recipe, &before, &learnt, open: open) else { continue }
      (steps, known) = (before + [step], learnt)
      return .answer(step: steps.count - 1, producer.place)
    }
    return nil
  }

  /// What the document itself says that a path parameter may be.
  private mutating func given(_ name: String, _ operation: Int) -> CallValue? {
    contract.operations[operation].parameters.first { $0.name == name && $0.location == .path }
      .flatMap { sample.value(of: $0) }
  }

  /// The path of the collection that a name such as `bookId` or `author` tells of.
  private func collection(named name: String) -> [String]? {
    let noun = BodyNames.noun(name)
    let paths = Set(makers.keys).union(lists.keys)
    return paths.filter { path in
      path.last.map { DraftNames.plain(DraftNames.singular($0)) == noun || DraftNames.plain($0) == noun } ?? false
    }.min { ($0.count, $0.joined()) < ($1.count, $1.joined()) }
  }

  /// `If-Match` with the tag that the thing has now.
  private mutating func condition(_ call: inout ExploreCall, _ steps: inout [ExploreCall]) {
    let operation = contract.operations[call.operation]
    let takes = operation.parameters.contains { $0.location == .header && $0.name.lowercased() == "if-match" }
    guard takes, let reading = reading(call), reading.operation != call.operation else { return }
    steps.append(reading)
    call.headers.append(
      ExploreCall.Named(name: "If-Match", value: .answer(step: steps.count - 1, .header("etag"))))
  }

  /// The call that reads the thing which another call is about; nil where no operation does.
  mutating func reading(_ call: ExploreCall) -> ExploreCall? {
    guard let read = items(of: Array(shapes[call.operation].segments.dropLast()))["GET"],
      var reading = sample.call(read, .given)
    else { return nil }
    for parameter in shapes[read].parameters { reading.path[parameter.name] = path(like: parameter, of: call) }
    return reading.path.count == Set(shapes[read].parameters.map(\.name)).count ? reading : nil
  }

  /// The call that reads what the last of these steps has made or changed; nil where no operation does.
  mutating func reading(after steps: [ExploreCall]) -> ExploreCall? {
    guard let call = steps.last else { return nil }
    let segments = shapes[call.operation].segments
    guard let maker = makers[segments], maker.operation == call.operation else {
      return contract.operations[call.operation].method == "DELETE" ? nil : reading(call)
    }
    guard let read = items(of: segments)["GET"], var reading = sample.call(read, .given) else { return nil }
    for parameter in shapes[read].parameters {
      reading.path[parameter.name] =
        parameter.prefix == segments ? .answer(step: steps.count - 1, maker.place) : path(like: parameter, of: call)
    }
    return reading.path.count == Set(shapes[read].parameters.map(\.name)).count ? reading : nil
  }

  private func path(like parameter: (name: String, prefix: [String]), of call: ExploreCall) -> CallValue? {
    shapes[call.operation].parameters.first { $0.prefix == parameter.prefix }.flatMap { call.path[$0.name] }
  }
}
