import MurphyJSON

/// What kind of value an element stands for, read off all schemas that speak of it.
struct XMLShape {
  enum ValueType {
    case object, array, string, number, boolean
    /// The schemas ask for nothing.
    case anything
  }

  let kind: ValueType
  let isNullable: Bool

  /// Keywords that speak of names and counts of members, of which an element without a schema for each tells too little.
  private static let blocking = [
    "not", "patternProperties", "propertyNames", "unevaluatedProperties", "unevaluatedItems", "dependentRequired",
    "dependencies", "minProperties", "maxProperties", "prefixItems", "additionalItems", "contains", "contentSchema",
  ]
  private static let annotations: Set<String> = [
    "title", "description", "example", "examples", "xml", "deprecated", "default", "readOnly", "writeOnly", "nullable",
    "externalDocs", "$ref", "allOf", "$comment", "$id", "$anchor", "$defs",
  ]

  init(_ scope: SchemaScope) throws(UnmappableXML) {
    if scope.isOpaque { throw UnmappableXML("a reference or discriminator of the schema cannot be mapped to XML") }
    if let choice = scope.choices.first {
      throw UnmappableXML("the schema's \(choice.keyword) cannot be mapped to XML")
    }
    var types: Set<String> = []
    for part in scope.parts {
      for keyword in Self.blocking where part[keyword] != nil {
        throw UnmappableXML("the schema's \(keyword) cannot be mapped to XML")
      }
      types.formUnion(part.types ?? [])
    }
    if types.isEmpty {
      for part in scope.parts {
        types.formUnion(((part["enum"]?.value.array ?? []) + (part["const"].map { [$0.value] } ?? [])).map(\.typeName))
        if part["properties"] != nil { types.insert("object") }
        if part["items"] != nil { types.insert("array") }
      }
    }
    isNullable =
      types.remove("null") != nil || scope.parts.contains { $0["nullable"]?.value.bool == true }
    if types.remove("integer") != nil { types.insert("number") }
    switch types {
    case ["object"]: kind = .object
    case ["array"]: kind = .array
    case ["string"]: kind = .string
    case ["number"]: kind = .number
    case ["boolean"]: kind = .boolean
    case []:
      let keys = scope.parts.flatMap { $0.members.map(\.key) }
      guard keys.allSatisfy({ Self.annotations.contains($0) || $0.hasPrefix("x-") }) else {
        throw UnmappableXML("a schema without a type cannot be mapped to XML")
      }
      kind = .anything
    default: throw UnmappableXML("a schema of several types cannot be mapped to XML")
    }
  }
}
