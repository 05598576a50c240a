import MurphySchema

extension Contract {
  /// The list of objects, or the map of objects, that an operation of any method returns; nil if it returns none.
  package func list(_ operation: Int) -> CollectionShape? {
    let navigator = SchemaNavigator(sources)
    return CollectionRecogniser(operations[operation], operation, navigator)?.shape ?? map(operation, navigator)
  }

  /// A response with objects under names that the document does not know: `{"docs": {"url": …}}`.
  private func map(_ operation: Int, _ navigator: SchemaNavigator) -> CollectionShape? {
    guard let schema = Self.response(of: operations[operation]) else { return nil }
    let scope = navigator.scope(of: schema)
    let values = scope.parts.compactMap { $0["additionalProperties"] }.filter { $0.value.object != nil }
    guard !scope.isOpaque, scope.choices.isEmpty, scope.parts.properties.isEmpty, values.count == 1,
      let item = ObjectShape(values, navigator)
    else { return nil }
    var shape = CollectionShape(operation: operation, items: [])
    for member in item.members where member.schemas.count == 1 {
      let scalar = navigator.scalar(member.schemas[0])
      guard scalar.isScalar else { continue }
      shape.fields.append(member.name)
      if member.name == "id" { shape.id = CollectionShape.Field(name: "id", isInteger: scalar.isInteger) }
    }
    return shape
  }

  /// The values in the success response of an operation that may name an item.
  package func responseFields(_ operation: Int) -> ResponseFields {
    guard let schema = Self.response(of: operations[operation]) else { return ResponseFields() }
    return ResponseFields(schema, SchemaNavigator(sources))
  }

  /// The fields of an operation's JSON body that accept only listed strings.
  package func choices(inBodyOf operation: Int) -> [(name: String, values: [String])] {
    let navigator = SchemaNavigator(sources)
    guard let schema = operations[operation].requestBody?.content.first(where: { $0.range.isJSON })?.schema,
      let body = navigator.object(schema.located)
    else { return [] }
    return body.members.compactMap { member in
      let scalar = navigator.scalar(member.schemas[0])
      return scalar.types == ["string"] && !scalar.values.isEmpty ? (member.name, scalar.values) : nil
    }
  }
}

/// The fields of a response that hold names: strings, integers, and lists of them.
package struct ResponseFields: Sendable {
  /// Fields with one value.
  package private(set) var single: [String] = []
  /// Those of them with an integer.
  package private(set) var integers: [String] = []
  /// Fields with a list of values.
  package private(set) var many: [String] = []
  /// True if the response itself is a list of values.
  package private(set) var isList = false
  /// True if the response itself is an integer.
  package private(set) var isCount = false

  init() {}

  init(_ schema: Located, _ navigator: SchemaNavigator) {
    isList = Self.isList(schema, navigator)
    isCount = Self.isName(schema, navigator) && navigator.scalar(schema).isInteger
    for member in navigator.object(schema)?.members ?? [] where member.schemas.count == 1 {
      if Self.isName(member.schemas[0], navigator) {
        single.append(member.name)
        if navigator.scalar(member.schemas[0]).isInteger { integers.append(member.name) }
      }
      if Self.isList(member.schemas[0], navigator) { many.append(member.name) }
    }
  }

  private static func isName(_ schema: Located, _ navigator: SchemaNavigator) -> Bool {
    let scalar = navigator.scalar(schema)
    return !scalar.isOpen && (scalar.isInteger || scalar.types == ["string"])
  }

  private static func isList(_ schema: Located, _ navigator: SchemaNavigator) -> Bool {
    let items = navigator.scope(of: schema).parts.compactMap { $0["items"] }
    return items.count == 1 && items[0].value.object != nil && isName(items[0], navigator)
  }
}
