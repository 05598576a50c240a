/// The meaning of a value in an OpenAPI document, by the names around it. It decides whether a `$ref` is a reference,
/// and what kind of part the reference leads to.
indirect enum BundleRole: Sendable {
  /// An object that cannot be a component.
  case plain
  /// An object that can be a component of this kind.
  case part(String)
  case schema
  /// The members of an object, or the items of a list, have this role.
  case each(BundleRole)
  /// A value that murphy does not read, such as an example.
  case data

  init(kind: String) { self = kind == "schemas" ? .schema : .part(kind) }

  /// The kind of a component in this place; empty if there is none.
  var kind: String {
    switch self {
    case .part(let kind): kind
    case .schema: "schemas"
    case .plain, .each, .data: ""
    }
  }

  /// The role of the items of a list.
  var item: BundleRole {
    if case .each(let role) = self { role } else { self }
  }

  /// The role of an object's member.
  func member(_ name: String, isSwagger: Bool) -> BundleRole {
    if case .each(let role) = self { return role }
    if name.hasPrefix("x-") { return .data }
    switch self {
    case .data, .each: return .data
    case .schema: return Self.keywords[name] ?? .data
    case .part("callbacks"): return .part("pathItems")
    case .plain, .part: return isSwagger && name == "examples" ? .data : Self.fields[name] ?? .plain
    }
  }

  private static let fields: [String: BundleRole] = [
    "schema": .schema, "itemSchema": .schema, "schemas": .each(.schema), "definitions": .each(.schema),
    "responses": .each(.part("responses")), "parameters": .each(.part("parameters")),
    "requestBodies": .each(.part("requestBodies")), "requestBody": .part("requestBodies"),
    "headers": .each(.part("headers")), "examples": .each(.part("examples")), "links": .each(.part("links")),
    "callbacks": .each(.part("callbacks")), "securitySchemes": .each(.part("securitySchemes")),
    "content": .each(.part("mediaTypes")), "mediaTypes": .each(.part("mediaTypes")),
    "paths": .each(.part("pathItems")), "webhooks": .each(.part("pathItems")),
    "pathItems": .each(.part("pathItems")), "additionalOperations": .each(.plain),
    "securityDefinitions": .each(.plain), "encoding": .each(.plain), "variables": .each(.plain), "example": .data,
    "value": .data, "dataValue": .data, "default": .data, "enum": .data, "scopes": .data, "security": .data,
    "tags": .data, "items": .schema,
  ]

  private static let keywords: [String: BundleRole] = {
    var roles: [String: BundleRole] = [:]
    for name in ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"] {
      roles[name] = .each(.schema)
    }
    for name in [
      "items", "prefixItems", "additionalItems", "contains", "propertyNames", "additionalProperties",
      "unevaluatedItems", "unevaluatedProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
      "contentSchema",
    ] {
      roles[name] = .schema
    }
    return roles
  }()
}
