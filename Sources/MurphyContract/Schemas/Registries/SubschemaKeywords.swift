import MurphyJSON

/// Which keywords hold schemas, by dialect.
enum SubschemaKeywords {
  /// How a keyword's value holds schemas.
  enum Shape { case one, list, map, oneOrList, mapOfSchemaOrNames }

  static func shape(of keyword: String, in dialect: Dialect) -> Shape? {
    let generation = dialect.generation
    if dialect == .openAPI30 {
      switch keyword {
      case "additionalProperties", "items", "not": return .one
      case "allOf", "anyOf", "oneOf": return .list
      case "properties": return .map
      default: return nil
      }
    }
    switch keyword {
    case "additionalProperties", "not": return .one
    case "additionalItems": return generation < 2020 ? .one : nil
    case "items": return generation < 2020 ? .oneOrList : .one
    case "contains", "propertyNames": return generation >= 6 ? .one : nil
    case "if", "then", "else": return generation >= 7 ? .one : nil
    case "unevaluatedItems", "unevaluatedProperties", "contentSchema": return generation >= 2019 ? .one : nil
    case "allOf", "anyOf", "oneOf": return .list
    case "prefixItems": return generation >= 2020 ? .list : nil
    case "properties", "patternProperties", "definitions": return .map
    case "$defs", "dependentSchemas": return generation >= 2019 ? .map : nil
    case "dependencies": return .mapOfSchemaOrNames
    default: return nil
    }
  }

  /// The subschemas of an object with their path from it.
  static func children(of object: JSONObject, dialect: Dialect) -> [(path: [String], value: JSONValue)] {
    var children: [(path: [String], value: JSONValue)] = []
    for member in object.members {
      guard let shape = shape(of: member.key, in: dialect) else { continue }
      switch (shape, member.value) {
      case (.one, .object), (.oneOrList, .object): children.append(([member.key], member.value))
      case (.list, .array(let values)), (.oneOrList, .array(let values)):
        for (index, value) in values.enumerated() { children.append(([member.key, String(index)], value)) }
      case (.map, .object(let map)), (.mapOfSchemaOrNames, .object(let map)):
        for entry in map.members { children.append(([member.key, entry.key], entry.value)) }
      default: break
      }
    }
    return children
  }
}
