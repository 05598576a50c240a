import MurphyJSON

/// What a contract shows of an operation that answers with what it was sent: members of the body that come back.
///
/// The text that one caller sent must not come back to another one (docs/relations.md, `exchanged`).
package struct ReturnShape: Sendable {
  /// Its place in the contract.
  package let operation: Int
  /// Members of the body whose names and types come back, in the schema's order.
  package let members: [String]
  /// Where they come back; empty where the whole answer holds them.
  package let path: [String]
}

struct ReturnRecogniser {
  let navigator: SchemaNavigator

  /// Nil where no text of the body comes back.
  func shape(of operation: Contract.Operation, _ index: Int) -> ReturnShape? {
    guard ["POST", "PUT", "PATCH"].contains(operation.method),
      let content = operation.requestBody?.content.first(where: { $0.range.isJSON }),
      let sent = content.schema.flatMap({ ObjectShape([$0.located], navigator) }),
      let answer = Contract.answer(of: operation, taking: [200, 201]), let object = ObjectShape([answer], navigator)
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
    _ index: Int, _ sent: ObjectShape, _ answer: ObjectShape, _ path: [String]
  ) -> ReturnShape? {
    let members = sent.members.map(\.name).filter { name in
      guard let given = sent[name], let found = answer[name] else { return false }
      return isFreeText(given) && isFreeText(found)
    }
    return members.isEmpty ? nil : ReturnShape(operation: index, members: members, path: path)
  }

  /// A text that is not one of a few.
  private func isFreeText(_ schema: Located) -> Bool {
    let scalar = ScalarShape(schema, navigator)
    return scalar.types == ["string"] && scalar.values.isEmpty && !scalar.isOpen
  }
}
