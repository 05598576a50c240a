import MurphyContract
import MurphySchema

/// The order of a session's steps: each after the response that supplies its inputs, deletions last.
extension SessionDraft {
  /// The calls that are possible with the known values, then those that depend on responses.
  mutating func write(_ open: inout [Int], _ known: Known) -> [DraftedStep] {
    var known = known
    var steps: [DraftedStep] = []
    var isProgress = true
    while isProgress {
      isProgress = false
      while let next = open.first(where: { method($0) != "DELETE" && isReady($0, known) && !isReadBefore(open, $0) }) {
        open.removeAll { $0 == next }
        isProgress = true
        steps += call(next, &open, &known)
      }
      if let made = makeOwn(&open, &known) {
        isProgress = true
        steps += made
      } else if let next = open.first(where: { needed($0, known) != nil }), let need = needed(next, known) {
        isProgress = true
        let count = open.count
        steps += behind(need, &open, &known)
        if open.count == count {
          open.removeAll { $0 == next }
          leave(next, reason(next))
        }
      } else if let last = open.filter({ isReady($0, known) }).max(by: isAbove) {
        // No remaining operation depends on the item that it deletes.
        open.removeAll { $0 == last }
        isProgress = true
        steps += call(last, &open, &known)
      }
    }
    return steps
  }

  /// True if an operation's path is shorter: the item that it deletes may contain the item that the other one deletes.
  private func isAbove(_ operation: Int, _ other: Int) -> Bool {
    shape(operation).segments.count < shape(other).segments.count
  }

  /// True if every path parameter has a value, and the request changes only items that the session has created.
  func isReady(_ operation: Int, _ known: Known) -> Bool {
    if method(operation) == "DELETE", let maker = maker(of: operation), !known.called.contains(maker) { return false }
    return ownItems(of: operation).allSatisfy(known.own.contains) && hasValues(operation, known)
  }

  /// The place of the item that the session must create before it may call the operation; nil if it needs none.
  func ownItem(of operation: Int) -> [String]? {
    let described = contract.operations[operation]
    guard rule.needsOwnItem(described), let item = WriteRule.item(in: described.path) else {
      return nil
    }
    return parameters(of: operation).first { $0.name == item.name }?.prefix ?? item.prefix
  }

  /// The operation that creates an item at the path at which it is deleted: a vote, a registration.
  private func maker(of operation: Int) -> Int? {
    guard !shape(operation).isItem else { return nil }
    return sources.keys.sorted().first {
      ["POST", "PUT"].contains(method($0)) && shape($0) == shape(operation)
    }
  }

  private func hasValues(_ operation: Int, _ known: Known) -> Bool {
    zip(parameters(of: operation), sources[operation] ?? []).allSatisfy { parameter, source in
      if known.values[parameter.prefix] != nil { return true }
      if case .example? = source { return true }
      return false
    }
  }

  private struct Need {
    var prefix: [String]
    var source: Producers.Source
  }

  /// The first path parameter without a value that a response can supply; all parameters before it have a value.
  private func needed(_ operation: Int, _ known: Known, depth: Int = 0) -> Need? {
    guard depth < Self.deepest else { return nil }
    let own = ownItems(of: operation)
    for (parameter, source) in zip(parameters(of: operation), sources[operation] ?? []) {
      if known.values[parameter.prefix] != nil { continue }
      if own.contains(parameter.prefix) { return nil }
      if case .example? = source { continue }
      guard let source, let producer = source.producer else { return nil }
      return known.called.contains(producer) || isReady(producer, known)
        ? Need(prefix: parameter.prefix, source: source) : needed(producer, known, depth: depth + 1)
    }
    return nil
  }

  /// Operations that need more responses in a row are left out.
  private static let deepest = 4

  /// True if the operation takes a value of that place, or needs a response of an operation that does.
  private func depends(_ operation: Int, on place: [String], depth: Int = 0) -> Bool {
    if parameters(of: operation).contains(where: { $0.prefix == place }) { return true }
    return depth < Self.deepest
      && (sources[operation] ?? []).contains { source in
        source?.producer.map { $0 != operation && depends($0, on: place, depth: depth + 1) } == true
      }
  }

  /// The steps that take one of the items that a response names. They include the call for that response if there was
  /// none yet.
  private mutating func behind(_ need: Need, _ open: inout [Int], _ known: inout Known) -> [DraftedStep] {
    var steps: [DraftedStep] = []
    let producer: Int
    let query: String
    switch need.source {
    case .list(let list, let path), .link(let list, let path): (producer, query) = (list, path)
    case .example: return []
    }
    if !known.called.contains(producer) {
      guard isReady(producer, known) else { return [] }
      let call = call(producer, &open, &known)
      guard known.called.contains(producer) else { return [] }
      steps += call
    }
    guard let saved = saved(producer, query) else { return steps }
    var inner = known
    var dependents = open.filter { depends($0, on: need.prefix) }
    let before = dependents
    if case .list = need.source {
      let item = names.new(noun(need.prefix) + "Id")
      inner.values[need.prefix] = item
      let written = write(&dependents, inner)
      if !written.isEmpty { steps.append(.block(.pick(item: item, list: saved), [.think("200ms..1s")] + written)) }
    } else {
      inner.values[need.prefix] = saved
      let written = write(&dependents, inner)
      if !written.isEmpty { steps.append(.block(.given(name: saved), [.think("200ms..1s")] + written)) }
    }
    let done = Set(before).subtracting(dependents)
    open.removeAll { done.contains($0) || left.map(\.operation).contains(id($0)) }
    return steps
  }

  /// A call. If it creates an item, the calls that change and delete the item follow.
  mutating func call(_ operation: Int, _ open: inout [Int], _ known: inout Known) -> [DraftedStep] {
    let values = zip(parameters(of: operation), sources[operation] ?? []).map {
      parameter, source -> (name: String, value: DraftedValue) in
      if let name = known.values[parameter.prefix] { return (parameter.name, .variable(name)) }
      if case .example(let value)? = source { return (parameter.name, .constant(value)) }
      return (parameter.name, .constant(.null))
    }
    guard !measured.unreached.contains(id(operation)) else {
      leave(operation, .always(unreached(operation)))
      return []
    }
    if let reason = undescribed(operation) {
      leave(operation, .always(reason))
      return []
    }
    var drafted: DraftedCall
    do throws(CallDraft.Gap) {
      drafted = try call(operation, path: values, known)
    } catch {
      leave(operation, .always(error.reason))
      return []
    }
    if let change = change(&drafted, operation, known) {
      open.removeAll { $0 == change.reading }
      known.called.formUnion([change.reading, operation])
      called.formUnion([change.reading, operation])
      return change.steps
    }
    known.called.insert(operation)
    called.insert(operation)
    guard isCreation(operation), !measured.repeating.contains(id(operation)), let created = creation(operation),
      hasNewName(&drafted, operation, created.save)
    else {
      // An item that is created only for other operations is useless without a name.
      return isCreation(operation) && foreign.contains(operation) ? [] : Self.steps(drafted)
    }
    let mayExist = mayReturnExisting(operation)
    let isSure = drafted.alwaysSucceeds && !mayExist
    drafted.saves.append(isSure ? created.save : created.save.optional)
    let versions = versionSaves(of: operation)
    drafted.saves += versions.values
    var inner = known
    let prefix = shape(operation).segments
    inner.versions[prefix + ["{}"]] = versions.mapValues(\.name)
    let places = recordOwn(created: created.name, at: prefix, open, &inner)
    if documents(202, operation) { inner.pending.formUnion(places) }
    var own = dependents(of: places, open)
    let before = own
    let changes = write(&own, inner)
    let done = Set(before).subtracting(own)
    open.removeAll { done.contains($0) }
    var set: [DraftedStep] = created.expression.map { [.set(name: created.name, expression: $0)] } ?? []
    // An item that is created only for other operations is useless without them.
    let aside = Set(foreign.map(id))
    if foreign.contains(operation), changes.calls.allSatisfy({ aside.contains($0.operation) }) { return [] }
    guard !changes.isEmpty else { return Self.steps(drafted) }
    // If a server responds with 200 and an item that existed before, the session would delete that item.
    if documents(201, operation), !mayExist { drafted.success = "201" }
    let behind = set + [.think("200ms..1s")] + changes
    set = mayExist ? [created.save.onlyNew] : []
    return Self.steps(drafted) + set + (isSure ? behind : [.block(.given(name: created.save.name), behind)])
  }

  /// Operations that take items of one of the places, and those that take items that such an operation creates. Items
  /// that also occur in a list are read through their list.
  private func dependents(of places: Set<[String]>, _ open: [Int]) -> [Int] {
    var places = places
    var found: Set<Int> = []
    while true {
      let more = open.filter { other in
        guard !found.contains(other) else { return false }
        return places.contains { place in
          takes([place], other)
            && (producers.list(at: place) == nil || !rule.isRead(contract.operations[other])
              || measured.ownReads.contains(id(other)))
        }
      }
      guard !more.isEmpty else { return open.filter(found.contains) }
      found.formUnion(more)
      for creation in more where isCreation(creation) {
        places.formUnion(self.places(ofItemsIn: shape(creation).segments, open))
      }
    }
  }
}
