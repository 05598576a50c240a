import MurphySchema

/// The strings of a sample, with their schemas.
package struct TextPlaces {
  /// A string with the constraints of its schema.
  package struct Place: Sendable, Hashable {
    package var pointer: JSONPointer
    /// The minimum length in characters.
    package var least: Int
    /// The maximum length in characters.
    package var most: Int
    /// The regular expression of the schema; nil without one.
    package var pattern: String?
    /// The `format` of the schema; nil without one.
    package var format: String?
  }

  private let navigator: SchemaNavigator
  private var places: [Place] = []
  private static let deepest = 4

  /// Finds strings by the schemas of `contract`.
  package init(_ contract: Contract) { navigator = SchemaNavigator(contract.sources) }

  /// The free strings of `value`: no `enum`, no `const`.
  package mutating func places(of schema: SchemaSite, in value: JSONValue) -> [Place] {
    places = []
    visit([schema.located], value, .root)
    return places
  }

  private mutating func visit(_ schemas: [Located], _ value: JSONValue, _ pointer: JSONPointer) {
    guard pointer.tokens.count <= Self.deepest, !schemas.isEmpty else { return }
    let scope = navigator.scope(of: schemas)
    let parts = scope.parts + scope.choices.flatMap(\.branches).flatMap { navigator.scope(of: $0).parts }
    let rules = SchemaRules(parts: parts)
    switch value {
    case .string:
      guard rules.values == nil else { return }
      places.append(
        Place(
          pointer: pointer, least: max(rules["minLength"]?.int ?? 0, 0), most: rules["maxLength"]?.int ?? 1_000,
          pattern: rules["pattern"]?.string, format: rules["format"]?.string))
    case .object(let object):
      for member in object.members {
        let schemas = parts.properties.first { $0.name == member.key }?.schemas ?? []
        visit(schemas, member.value, pointer.appending(member.key))
      }
    case .array(let items):
      guard let schema = rules.items else { return }
      for (index, item) in items.enumerated() { visit([schema], item, pointer.appending(index)) }
    default: break
    }
  }
}
