import MurphySchema

/// Derives an item's shape from an operation whose path ends with its id.
struct ItemRecogniser {
  let contract: Contract
  let collections: [CollectionShape]
  let navigator: SchemaNavigator

  func shape(of operation: Contract.Operation, _ index: Int) -> ItemShape? {
    let segments = operation.path.split(separator: "/", omittingEmptySubsequences: false)
    guard operation.method == "GET", let last = segments.last, last.hasPrefix("{"), last.hasSuffix("}"),
      let response = Contract.response(of: operation), let object = navigator.object(response)
    else { return nil }
    let name = String(last.dropFirst().dropLast())
    guard !name.contains("}"),
      let parameter = operation.parameters.first(where: { $0.location == .path && $0.name == name }),
      let schema = parameter.schema
    else { return nil }
    let requested = navigator.scalar(schema.located)
    let parent = segments.dropLast().joined(separator: "/")
    let collection = collections.firstIndex { contract.operations[$0.operation].path.trimmingSlash == parent }
    var path: [String] = []
    var field = field(name, object, parent, collection)
    if field == nil, let (wrapper, inner) = wrapped(object, parent) {
      path = [wrapper]
      field = self.field(name, inner, parent, collection)
    }
    guard let field else { return nil }
    let found = navigator.scalar(field.schema)
    guard requested.types == found.types, requested.isInteger || requested.types == ["string"], !requested.isOpen,
      !found.isOpen
    else {
      return nil
    }
    return ItemShape(
      operation: index, parameter: name, path: path, field: field.name, isInteger: requested.isInteger,
      isLoose: !requested.isInteger, collection: collection)
  }

  /// The item inside `data` and similar members, or inside a member of its own name: `{ "pet": { "id": 1 } }` for
  /// `/pets`.
  private func wrapped(_ object: ObjectShape, _ parent: String) -> (name: String, item: ObjectShape)? {
    let thing = RelationNames.norm(String(parent.split(separator: "/").last ?? ""))
    let inner = object.members.compactMap { member -> (String, ObjectShape)? in
      let key = RelationNames.norm(member.name)
      guard RelationNames.wrappers.contains(key) || RelationNames.isPlural(thing, of: key) else { return nil }
      return ObjectShape(member.schemas, navigator).map { (member.name, $0) }
    }
    return inner.count == 1 ? inner[0] : nil
  }

  /// `id` for a parameter `id`, or for `petId` directly below `/pets`; otherwise a member with the parameter's name.
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

/// Finds the members of an item with the number of items in a list below it.
struct CountRecogniser {
  let contract: Contract
  let collections: [CollectionShape]
  let navigator: SchemaNavigator

  /// `number_of_notes`, `notes_count`, `note_count` or `total_notes`, of the item or one level below. They apply to
  /// `/contacts/{id}/notes` with a total.
  func counts(of item: ItemShape) -> [ItemShape.Count] {
    let operation = contract.operations[item.operation]
    guard let response = Contract.response(of: operation), var object = navigator.object(response) else {
      return []
    }
    for name in item.path {
      guard let schema = object[name], let inner = navigator.object(schema) else { return [] }
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
      if navigator.scalar(member.schemas[0]).isInteger {
        return [([member.name], RelationNames.norm(member.name))]
      }
      guard depth > 0, let inner = navigator.object(member.schemas[0]) else { return [] }
      return integers(inner, depth: depth - 1).map { ([member.name] + $0.path, $0.key) }
    }
  }
}

/// The members of a request body that an operation's response returns.
///
/// One caller's text must not be returned to another caller (docs/relations.md, `exchanged`).
package struct ReturnShape: Sendable {
  /// Its index in the contract.
  package let operation: Int
  /// Members of the body whose names and types are in the response, in the schema's order.
  package let members: [String]
  /// Their location in the response; empty if they are at its root.
  package let path: [String]
}

struct ReturnRecogniser {
  let navigator: SchemaNavigator

  /// Nil if the response returns no string of the body.
  func shape(of operation: Contract.Operation, _ index: Int) -> ReturnShape? {
    guard ["POST", "PUT", "PATCH"].contains(operation.method),
      let content = operation.requestBody?.content.first(where: { $0.range.isJSON }),
      let sent = content.schema.flatMap({ navigator.object($0.located) }),
      let response = Contract.response(of: operation, taking: [200, 201]),
      let object = navigator.object(response)
    else { return nil }
    if let shape = shape(index, sent, object, []) { return shape }
    for member in object.members where RelationNames.wrappers.contains(RelationNames.norm(member.name)) {
      if let inner = ObjectShape(member.schemas, navigator), let shape = shape(index, sent, inner, [member.name]) {
        return shape
      }
    }
    return nil
  }

  private func shape(
    _ index: Int, _ sent: ObjectShape, _ response: ObjectShape, _ path: [String]
  ) -> ReturnShape? {
    let members = sent.members.map(\.name).filter { name in
      guard let given = sent[name], let found = response[name] else { return false }
      return isFreeText(given) && isFreeText(found)
    }
    return members.isEmpty ? nil : ReturnShape(operation: index, members: members, path: path)
  }

  /// A string that is not an enumeration.
  private func isFreeText(_ schema: Located) -> Bool {
    let scalar = navigator.scalar(schema)
    return scalar.types == ["string"] && scalar.values.isEmpty && !scalar.isOpen
  }
}
