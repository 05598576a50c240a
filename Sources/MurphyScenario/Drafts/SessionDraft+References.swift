import MurphyContract
import MurphySchema

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

  /// Makes the body name the session's own items.
  func refer(_ call: inout DraftedCall, _ operation: Int, _ known: Known) {
    for reference in references[operation] ?? [] where known.own.contains(reference.place) {
      guard let name = known.values[reference.place] else { continue }
      call.body?.set(.string("${\(name)}"), at: reference.pointer)
    }
  }
}
