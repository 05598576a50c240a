import MurphyContract
import MurphyJSON
import MurphyModel

/// The steps of one session: the operations of a resource, each behind the answer that gives what it needs.
struct SessionDraft {
  let contract: Contract
  let producers: Producers
  var writer: CallDraft
  /// Where the values of path parameters come from, by operation.
  var sources: [Int: [Producers.Source?]] = [:]
  /// What each answer gives: the names that its steps save.
  var wanted: [Int: [DraftedSave]] = [:]
  var names = VariableNames()
  /// Of each operation's path.
  let shapes: [PathShape]
  /// Operations that no step calls, and why.
  private(set) var left: [LeftOut] = []
  /// What a calm run saw.
  var measured = ScenarioDraft.Options(contract: "")
  /// Why sessions of the calm run did not come to their last step; nil where they did.
  var ending: String?

  /// An operation that a draft does without.
  struct LeftOut: Sendable {
    var operation: String
    var reason: String
  }

  init(_ contract: Contract, _ producers: Producers) {
    self.contract = contract
    self.producers = producers
    writer = CallDraft(contract)
    shapes = contract.operations.map { PathShape($0.path) }
  }

  mutating func steps(for operations: [Int], _ options: ScenarioDraft.Options) -> [DraftedStep] {
    measured = options
    writer.conflicting = options.conflicting
    writer.login = options.login
    if options.login != nil { _ = names.new(DraftLogin.token) }
    (writer.refused, writer.errors) = (options.refused, options.errors)
    for operation in operations {
      sources[operation] = shape(operation).parameters.map { producers.source(of: $0, in: operation) }
    }
    for operation in operations { noteWanted(by: operation) }
    var open = operations.sorted { (rank($0), $0) < (rank($1), $1) }
    let steps = write(&open, Known())
    for operation in open where !left.contains(where: { $0.operation == id(operation) }) {
      leave(operation, missing(operation))
    }
    return steps
  }

  /// What the steps at a place know.
  struct Known {
    /// Values of path parameters, by the segments before them.
    var values: [[String]: String] = [:]
    /// Those of them that the session has created itself.
    var own: Set<[String]> = []
    /// Operations whose answers have been saved from.
    var called: Set<Int> = []
    /// Versions that the response to a creation gave, by the item's path and the member's name.
    var versions: [[String]: [String: String]] = [:]
  }

  func shape(_ operation: Int) -> PathShape { shapes[operation] }
  func id(_ operation: Int) -> String { contract.operations[operation].id }
  func method(_ operation: Int) -> String { contract.operations[operation].method }

  /// Lists come first, and what deletes comes last.
  private func rank(_ operation: Int) -> Int {
    switch method(operation) {
    case "GET", "HEAD", "OPTIONS", "QUERY": shape(operation).isItem ? 2 : 0
    case "POST": isCreation(operation) ? 1 : 3
    case "DELETE": 5
    default: 4
    }
  }

  /// A POST to a place below which single things are found.
  private func isCreation(_ operation: Int) -> Bool {
    guard method(operation) == "POST", !shape(operation).isItem else { return false }
    let below = shape(operation).segments + ["{}"]
    return shapes.contains { $0.segments.starts(with: below) }
  }

  private mutating func leave(_ operation: Int, _ reason: String) {
    left.append(LeftOut(operation: id(operation), reason: reason))
  }

  private func missing(_ operation: Int) -> String {
    let unknown = zip(shape(operation).parameters, sources[operation] ?? []).filter { $0.1 == nil }.map(\.0.name)
    if method(operation) == "DELETE", unknown.isEmpty {
      return "a session deletes only what it has created, and no answer names what a POST creates"
    }
    return unknown.isEmpty
      ? "the list that names its path parameters needs one itself"
      : "no answer and no example gives its path parameter \(unknown.joined(separator: ", "))"
  }
}

extension SessionDraft {
  /// Has the answers that `operation` needs save what it takes.
  private mutating func noteWanted(by operation: Int) {
    for (parameter, source) in zip(shape(operation).parameters, sources[operation] ?? []) {
      switch source {
      case .list(let list, let query)? where saved(list, query) == nil:
        wanted[list, default: []].append(
          DraftedSave(name: names.new(noun(parameter.prefix) + "Ids"), source: .body(query)))
      case .link(let other, let query)? where saved(other, query) == nil:
        wanted[other, default: []].append(
          DraftedSave(name: names.new(parameter.name), source: .optionalBody(query)))
      default: break
      }
    }
  }

  private func saved(_ operation: Int, _ query: String) -> String? {
    wanted[operation]?.first { save in
      switch save.source {
      case .body(let known), .optionalBody(let known): known == query
      case .header, .optionalHeader: false
      }
    }?.name
  }

  func noun(_ prefix: [String]) -> String {
    DraftNames.variable(DraftNames.singular(prefix.last { !$0.contains("{}") } ?? "thing"))
  }
}

extension SessionDraft {
  /// The calls that can be made with what is known, then those behind the answers.
  private mutating func write(_ open: inout [Int], _ known: Known) -> [DraftedStep] {
    var known = known
    var steps: [DraftedStep] = []
    var isProgress = true
    while isProgress {
      isProgress = false
      while let next = open.first(where: { isReady($0, known) && !isReadBefore(open, $0) }) {
        open.removeAll { $0 == next }
        isProgress = true
        steps += call(next, &open, &known)
      }
      guard let next = open.first(where: { needed($0, known) != nil }), let need = needed(next, known) else { break }
      isProgress = true
      let count = open.count
      steps += behind(need, &open, &known)
      if open.count == count {
        open.removeAll { $0 == next }
        leave(next, missing(next))
      }
    }
    return steps
  }

  /// Whether every path parameter has a value.
  private func isReady(_ operation: Int, _ known: Known) -> Bool {
    // Only what the session has created is deleted: `creation` below names it.
    if method(operation) == "DELETE" {
      if let maker = maker(of: operation) { return known.called.contains(maker) && hasValues(operation, known) }
      guard known.values[shape(operation).parameters.last?.prefix ?? []] != nil else { return false }
    }
    return hasValues(operation, known)
  }

  /// What makes a thing at the very path at which it is deleted: a vote, a registration.
  private func maker(of operation: Int) -> Int? {
    guard !shape(operation).isItem else { return nil }
    return sources.keys.sorted().first {
      ["POST", "PUT"].contains(method($0)) && shape($0) == shape(operation)
    }
  }

  private func hasValues(_ operation: Int, _ known: Known) -> Bool {
    zip(shape(operation).parameters, sources[operation] ?? []).allSatisfy { parameter, source in
      if known.values[parameter.prefix] != nil { return true }
      if case .example? = source { return true }
      return false
    }
  }

  private struct Need {
    var prefix: [String]
    var source: Producers.Source
  }

  /// The first path parameter without a value that an answer can give; the ones before it have theirs.
  private func needed(_ operation: Int, _ known: Known) -> Need? {
    if method(operation) == "DELETE", maker(of: operation) == nil { return nil }
    for (parameter, source) in zip(shape(operation).parameters, sources[operation] ?? []) {
      if known.values[parameter.prefix] != nil { continue }
      switch source {
      case .example?: continue
      case .list(let producer, _)?, .link(let producer, _)?:
        return known.called.contains(producer) || isReady(producer, known) || sources[producer] == nil
          ? source.map { Need(prefix: parameter.prefix, source: $0) } : nil
      case nil: return nil
      }
    }
    return nil
  }

  /// The steps that take one of what an answer names; with the call that asks for it where none did so far.
  private mutating func behind(_ need: Need, _ open: inout [Int], _ known: inout Known) -> [DraftedStep] {
    var steps: [DraftedStep] = []
    let producer: Int
    let query: String
    switch need.source {
    case .list(let list, let path), .link(let list, let path): (producer, query) = (list, path)
    case .example: return []
    }
    if !known.called.contains(producer) {
      if sources[producer] == nil {
        sources[producer] = shape(producer).parameters.map { producers.source(of: $0, in: producer) }
      }
      guard isReady(producer, known) else { return [] }
      let call = call(producer, &open, &known)
      guard known.called.contains(producer) else { return [] }
      steps += call
    }
    guard let saved = saved(producer, query) else { return steps }
    var inner = known
    var dependents = open.filter { shape($0).parameters.contains { $0.prefix == need.prefix } }
    let before = dependents
    if case .list = need.source {
      let item = names.new(noun(need.prefix) + "Id")
      inner.values[need.prefix] = item
      let written = write(&dependents, inner)
      if !written.isEmpty { steps.append(.pick(item: item, list: saved, steps: [.think("200ms..1s")] + written)) }
    } else {
      inner.values[need.prefix] = saved
      let written = write(&dependents, inner)
      if !written.isEmpty { steps.append(.given(name: saved, steps: [.think("200ms..1s")] + written)) }
    }
    let done = Set(before).subtracting(dependents)
    open.removeAll { done.contains($0) || left.map(\.operation).contains(id($0)) }
    return steps
  }

  /// A call, and behind one that creates a thing what changes and deletes it.
  private mutating func call(_ operation: Int, _ open: inout [Int], _ known: inout Known) -> [DraftedStep] {
    let values = zip(shape(operation).parameters, sources[operation] ?? []).map {
      parameter, source -> (name: String, value: DraftedValue) in
      if let name = known.values[parameter.prefix] { return (parameter.name, .variable(name)) }
      if case .example(let value)? = source { return (parameter.name, .constant(value)) }
      return (parameter.name, .constant(.null))
    }
    guard !measured.unreached.contains(id(operation)) else {
      leave(operation, unreached(operation))
      return []
    }
    var drafted: DraftedCall
    do throws(CallDraft.Gap) {
      drafted = try call(operation, path: values, known)
    } catch {
      leave(operation, error.reason)
      return []
    }
    if let change = change(&drafted, operation, known) {
      open.removeAll { $0 == change.reading }
      known.called.formUnion([change.reading, operation])
      return change.steps
    }
    known.called.insert(operation)
    guard isCreation(operation), let created = creation(operation) else { return Self.steps(drafted) }
    let isSure = drafted.statuses.isEmpty
    drafted.saves.append(isSure ? created.save : created.save.optional)
    let versions = versionSaves(of: operation)
    drafted.saves += versions.values
    var inner = known
    let prefix = shape(operation).segments
    inner.values[prefix] = created.name
    inner.versions[prefix + ["{}"]] = versions.mapValues(\.name)
    inner.own.insert(prefix)
    let isListed = producers.list(at: prefix) != nil
    var own = open.filter { other in
      shape(other).parameters.contains { $0.prefix == prefix }
        && (!isListed || ["PUT", "PATCH", "DELETE"].contains(method(other)))
    }
    let before = own
    let changes = write(&own, inner)
    let done = Set(before).subtracting(own)
    open.removeAll { done.contains($0) }
    let set: [DraftedStep] = created.expression.map { [.set(name: created.name, expression: $0)] } ?? []
    guard !changes.isEmpty else { return Self.steps(drafted) }
    let behind = set + [.think("200ms..1s")] + changes
    return Self.steps(drafted) + (isSure ? behind : [.given(name: created.save.name, steps: behind)])
  }

  /// Whether a thing that the call names comes from a list, and sessions delete such things; and the contract says 404 then.
  func mayBeGone(_ operation: Int, _ known: Known) -> Bool {
    guard documents(404, operation) else { return false }
    return shape(operation).parameters.contains { parameter in
      guard known.values[parameter.prefix] != nil, !known.own.contains(parameter.prefix) else { return false }
      return sources.keys.contains { method($0) == "DELETE" && shape($0).segments == parameter.prefix + ["{}"] }
    }
  }
}
