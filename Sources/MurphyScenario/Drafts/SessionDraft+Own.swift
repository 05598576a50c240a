import MurphyContract
import MurphySchema

/// Items that a session creates itself, for write operations on items.
extension SessionDraft {
  /// Records a new item as the session's own: the place of its creation, and the places where other paths name items of
  /// that collection.
  ///
  /// - Returns: the places.
  func recordOwn(created name: String, at prefix: [String], _ open: [Int], _ known: inout Known) -> Set<[String]> {
    let places = places(ofItemsIn: prefix, open)
    for place in places {
      known.values[place] = name
      known.own.insert(place)
    }
    return places
  }

  /// The places where the paths of operations name items of a collection.
  func places(ofItemsIn collection: [String], _ operations: [Int]) -> Set<[String]> {
    var places: Set<[String]> = [collection]
    for operation in operations {
      for (index, parameter) in shape(operation).parameters.enumerated() where homes[operation][index] == collection {
        // A parameter that takes another field of the item has another place.
        if parameters(of: operation)[index].prefix == parameter.prefix { places.insert(parameter.prefix) }
      }
    }
    return places
  }

  /// Creates an item for an operation that requires one of the session's own; nil if no operation can create it.
  mutating func makeOwn(_ open: inout [Int], _ known: inout Known) -> [DraftedStep]? {
    var index = 0
    // An operation that creates an item may itself need an item. Then it comes after the others.
    while index < open.count {
      let operation = open[index]
      for place in ownItems(of: operation) where !known.own.contains(place) && known.tried.insert(place).inserted {
        let steps = create(at: place, for: operation, &open, &known) ?? put(operation, at: place, &open, known)
        if let steps, !steps.isEmpty { return steps }
      }
      index += 1
    }
    return nil
  }

  /// Creates it with the POST of the collection whose items the path names.
  private mutating func create(
    at place: [String], for operation: Int, _ open: inout [Int], _ known: inout Known
  ) -> [DraftedStep]? {
    let index = parameters(of: operation).firstIndex { $0.prefix == place }
    let collection = index.map { homes[operation][$0] } ?? place
    let maker = contract.operations.indices.first { candidate in
      let described = contract.operations[candidate]
      return isCreation(candidate) && shape(candidate).segments == collection && described.mistakes.isEmpty
        && rule.exclusion(of: described) == nil
    }
    guard let maker, maker != operation, !known.called.contains(maker) else { return nil }
    if sources[maker] == nil { findSources(of: maker) }
    if !open.contains(maker) {
      open.append(maker)
      foreign.insert(maker)
      // The session deletes an item that it creates for its own use.
      if let deletion = deletion(in: collection), !open.contains(deletion) {
        findSources(of: deletion)
        open.append(deletion)
        foreign.insert(deletion)
      }
    }
    guard isReady(maker, known) else {
      // It requires an item itself. Until that item exists, others may be created.
      known.tried.remove(place)
      return []
    }
    open.removeAll { $0 == maker }
    return call(maker, &open, &known)
  }

  private func deletion(in collection: [String]) -> Int? {
    contract.operations.indices.first { index in
      let operation = contract.operations[index]
      return operation.method == "DELETE" && shape(index).isItem && homes[index].last == collection
        && operation.mistakes.isEmpty && rule.exclusion(of: operation) == nil
    }
  }

  /// Creates it with a PUT to an identifier that no other session has, if no POST creates such items.
  private mutating func put(
    _ operation: Int, at place: [String], _ open: inout [Int], _ known: Known
  ) -> [DraftedStep]? {
    let item = place + ["{}"]
    guard ownItem(of: operation) == place,
      let put = open.first(where: { isCreation(atItem: $0) && shape($0).segments == item }),
      contract.operations[put].takesNewName(shape(put).parameters.last?.name ?? ""),
      !contract.operations.indices.contains(where: { isCreation($0) && shape($0).segments == place }),
      !measured.unreached.contains(id(put)),
      shape(put).parameters.dropLast().allSatisfy({ known.values[$0.prefix] != nil })
    else { return nil }
    let noun = noun(place)
    let name = names.new("new" + noun.capitalizedFirst)
    writer.drawn.insert(name)
    var inner = known
    let places = recordOwn(created: name, at: place, open, &inner)
    let path = shape(put).parameters.map { ($0.name, DraftedValue.variable(inner.values[$0.prefix] ?? name)) }
    guard var creation = try? call(put, path: path, inner) else { return nil }
    let versions = versions(in: creation)
    for version in versions { creation.setNumber(version, 0) }
    creation.saves = []
    var own = open.filter { other in
      (other != put || !versions.isEmpty) && takes(places, other)
        && !(WriteRule.isSafe(method(other)) && producers.list(at: place) != nil)
    }
    let before = own
    let behind = write(&own, inner)
    let done = Set(before).subtracting(own).union([put])
    open.removeAll { done.contains($0) }
    return [.set(name: name, expression: "uuid()"), .call(creation)]
      + (behind.isEmpty ? [] : [.think("200ms..1s")] + behind)
  }

  /// True for a PUT of an item, and for a POST at the path of an item that it creates.
  private func isCreation(atItem operation: Int) -> Bool {
    method(operation) == "PUT" || method(operation) == "POST" && documents(201, operation)
  }

  /// True if a creation has a separate status for an item that existed before.
  func mayReturnExisting(_ operation: Int) -> Bool {
    let statuses = contract.operations[operation].responses.filter(\.isSuccess).map(\.status)
    return statuses.contains(.exactly(201)) && statuses.contains { [.exactly(200), .hundred(2)].contains($0) }
  }

  /// True if the item has a name that no earlier item had. If the client chooses the name, the name is generated for
  /// each user. Otherwise a server that replaces or returns the existing item would give the session another session's
  /// item.
  mutating func hasNewName(_ call: inout DraftedCall, _ operation: Int, _ save: DraftedSave) -> Bool {
    guard case .json(.object(var members), let type)? = call.body else { return true }
    // Without 201, a response may name an existing item with the same strings.
    if !documents(201, operation) || mayReturnExisting(operation), call.body?.text.contains("${") == false {
      guard let new = writer.withNewTexts(operation, call), new.text.contains("${") else { return false }
      call.body = new
      return hasNewName(&call, operation, save)
    }
    guard !save.isOptional, let name = save.path?.split(separator: ".").last.map(String.init),
      let value = members[name]
    else { return true }
    switch value {
    case .string(let text):
      if text.contains("${") { return true }
      guard let new = writer.withNewTexts(operation, call) else { return false }
      call.body = new
      if case .json(.object(let members), _) = new { return members[name]?.string?.contains("${") == true }
      return false
    case .number:
      guard let range = writer.integers(of: name, operation, type) else { return false }
      members[name] = .string("${int(\(range.lowerBound), \(range.upperBound))}")
      call.body = .json(.object(members), contentType: type)
      return true
    default: return false
    }
  }
}

extension DraftedCall {
  /// Sets a numeric field of the body.
  fileprivate mutating func setNumber(_ member: String, _ number: Int) {
    guard case .json(.object(var members), let type)? = body, members[member]?.int != nil else { return }
    members[member] = JSONValue(number)
    body = .json(.object(members), contentType: type)
  }
}
