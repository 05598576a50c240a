import MurphyJSON

/// Finds the members of an item that tell how many things are listed below it.
struct CountRecogniser {
  let contract: Contract
  let collections: [CollectionShape]
  let navigator: SchemaNavigator

  /// `number_of_notes`, `notes_count`, `note_count` or `total_notes`, of the item or one level below, for
  /// `/contacts/{id}/notes` with a total.
  func counts(of item: ItemShape) -> [ItemShape.Count] {
    let operation = contract.operations[item.operation]
    guard let answer = Contract.answer(of: operation), var object = ObjectShape([answer], navigator) else { return [] }
    for name in item.path {
      guard let schema = object[name], let inner = ObjectShape([schema], navigator) else { return [] }
      object = inner
    }
    let members = integers(object, depth: 1)
    return collections.indices.compactMap { index -> ItemShape.Count? in
      let collection = collections[index]
      let path = contract.operations[collection.operation].path
      guard collection.total != nil, path.hasPrefix(operation.path + "/") else { return nil }
      let rest = path.dropFirst(operation.path.count + 1)
      guard !rest.contains("/"), !rest.isEmpty else { return nil }
      let many = RelationNames.norm(String(rest))
      let named = members.filter { RelationNames.isCount($0.key, of: many) }
      return named.count == 1 ? ItemShape.Count(path: named[0].path, collection: index) : nil
    }
  }

  private func integers(_ object: ObjectShape, depth: Int) -> [(path: [String], key: String)] {
    object.members.flatMap { member -> [(path: [String], key: String)] in
      guard member.schemas.count == 1 else { return [] }
      if ScalarShape(member.schemas[0], navigator).isInteger {
        return [([member.name], RelationNames.norm(member.name))]
      }
      guard depth > 0, let inner = ObjectShape(member.schemas, navigator) else { return [] }
      return integers(inner, depth: depth - 1).map { ([member.name] + $0.path, $0.key) }
    }
  }
}
