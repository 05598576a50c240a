import MurphyJSON

/// Reads an item's shape off an operation whose path ends with its name.
struct ItemRecogniser {
  let contract: Contract
  let collections: [CollectionShape]
  let navigator: SchemaNavigator

  func shape(of operation: Contract.Operation, _ index: Int) -> ItemShape? {
    let segments = operation.path.split(separator: "/", omittingEmptySubsequences: false)
    guard operation.method == "GET", let last = segments.last, last.hasPrefix("{"), last.hasSuffix("}"),
      let answer = Contract.answer(of: operation), let object = ObjectShape([answer], navigator)
    else { return nil }
    let name = String(last.dropFirst().dropLast())
    guard !name.contains("}"),
      let parameter = operation.parameters.first(where: { $0.location == .path && $0.name == name }),
      let schema = parameter.schema
    else { return nil }
    let asked = ScalarShape(schema.located, navigator)
    let parent = segments.dropLast().joined(separator: "/")
    let collection = collections.firstIndex { contract.operations[$0.operation].path.trimmingSlash == parent }
    var path: [String] = []
    var field = field(name, object, parent, collection)
    if field == nil, let (wrapper, inner) = wrapped(object, parent) {
      path = [wrapper]
      field = self.field(name, inner, parent, collection)
    }
    guard let field else { return nil }
    let found = ScalarShape(field.schema, navigator)
    guard asked.types == found.types, asked.isInteger || asked.types == ["string"], !asked.isOpen, !found.isOpen else {
      return nil
    }
    return ItemShape(
      operation: index, parameter: name, path: path, field: field.name, isInteger: asked.isInteger,
      isLoose: !asked.isInteger, collection: collection)
  }

  /// The item within `data` and its like, or within a member of its own name: `{ "pet": { "id": 1 } }` below `/pets`.
  private func wrapped(_ object: ObjectShape, _ parent: String) -> (name: String, item: ObjectShape)? {
    let thing = RelationNames.norm(String(parent.split(separator: "/").last ?? ""))
    let inner = object.members.compactMap { member -> (String, ObjectShape)? in
      let key = RelationNames.norm(member.name)
      guard RelationNames.wrappers.contains(key) || RelationNames.isPlural(thing, of: key) else { return nil }
      return ObjectShape(member.schemas, navigator).map { (member.name, $0) }
    }
    return inner.count == 1 ? inner[0] : nil
  }

  /// `id` for a parameter `id`, or `petId` directly below `/pets`; or a member of the parameter's own name.
  private func field(
    _ name: String, _ object: ObjectShape, _ parent: String, _ collection: Int?
  ) -> (name: String, schema: Located)? {
    if let own = object[name] { return (name, own) }
    guard let id = object["id"] else { return nil }
    let key = RelationNames.norm(name)
    if key == "id" { return ("id", id) }
    let thing = RelationNames.norm(String(parent.split(separator: "/").last ?? ""))
    guard collection != nil, key.hasSuffix("id"), RelationNames.isPlural(thing, of: String(key.dropLast(2))) else {
      return nil
    }
    return ("id", id)
  }
}

extension String {
  fileprivate var trimmingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
