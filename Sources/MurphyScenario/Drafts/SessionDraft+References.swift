import MurphyContract
import MurphySchema

/// Items of other collections that bodies name. A server may attach to them what it creates, so they must be the session's own.
extension SessionDraft {
  struct Reference {
    var pointer: JSONPointer
    /// The member: `project_id`.
    var name: String
    /// The path of the collection, in segments.
    var place: [String]
  }

  /// Members of the body of a write that name items which an operation creates, changes or deletes. `--operation` lets them be any.
  func foreignItems(in operation: Int) -> [Reference] {
    let described = contract.operations[operation]
    guard described.requestBody != nil, !WriteRule.isSafe(described.method), !rule.isNamed(described) else { return [] }
    var writer = writer
    guard let body = try? writer.call(operation, path: []).body else { return [] }
    return collectionNames.references(in: body.tree).compactMap { pointer, name in
      guard let place = collectionNames[name], place != shape(operation).segments,
        // What a creation names of a list that nobody changes is a class, such as a category; what another POST names of
        // one is what it acts on.
        rule.changesItems(of: place) || rule.isAction(described) && producers.list(at: place) != nil,
        shape(operation).segments != place + ["{}"]
      else { return nil }
      return Reference(pointer: pointer, name: name, place: place)
    }
  }

  /// The places of the items that the session must have created before it may call the operation.
  func ownItems(of operation: Int) -> [[String]] {
    [ownItem(of: operation)].compactMap(\.self) + (references[operation] ?? []).map(\.place)
  }

  func takes(_ places: Set<[String]>, _ operation: Int) -> Bool {
    parameters(of: operation).contains { places.contains($0.prefix) }
      || (references[operation] ?? []).contains { places.contains($0.place) }
  }

  /// Has the body name the session's own items.
  func refer(_ call: inout DraftedCall, _ operation: Int, _ known: Known) {
    for reference in references[operation] ?? [] where known.own.contains(reference.place) {
      guard let name = known.values[reference.place] else { continue }
      call.body?.set(.string("${\(name)}"), at: reference.pointer)
    }
  }
}
