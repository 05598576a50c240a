import MurphySchema

/// The allowed values of an object's field.
indirect enum FieldRule: Sendable {
  case any
  case string
  case uri
  case email
  /// A list of media ranges, separated by commas.
  case mediaRanges
  case boolean
  case word([String])
  case object(ObjectKind)
  /// The object, or a Reference Object in its place.
  case referable(ObjectKind)
  case list(FieldRule)
  case map(FieldRule)
  /// A map whose keys name components: `^[a-zA-Z0-9._-]+$`.
  case componentMap(FieldRule)
  /// A map of media ranges.
  case content
  case schema
}

/// A field: its name, its allowed values, and the versions that have it.
struct Field: Sendable {
  let name: String
  let rule: FieldRule
  let since: OpenAPIVersion.Line
  let until: OpenAPIVersion.Line

  init(
    _ name: String, _ rule: FieldRule, since: OpenAPIVersion.Line = .v30, until: OpenAPIVersion.Line = .v32
  ) {
    self.name = name
    self.rule = rule
    self.since = since
    self.until = until
  }
}

/// The specification's rules for one object.
struct ObjectRule {
  let fields: [Field]
  let required: [String]
  /// The rule of patterned fields, by name; nil for names that are not allowed here.
  let patterned: (String) -> FieldRule?
  /// `x-` fields are allowed.
  let isExtensible: Bool

  init(
    _ fields: [Field], required: [String] = [], isExtensible: Bool = true,
    patterned: @escaping (String) -> FieldRule? = { _ in nil }
  ) {
    self.fields = fields
    self.required = required
    self.isExtensible = isExtensible
    self.patterned = patterned
  }
}

/// The allowed values of a keyword of a Schema Object.
enum SchemaKeyword {
  case any, string, boolean, number, positive, count, typeName, names, list, values, schema, schemaOrBoolean, schemas
  case schemaMap, namesMap
  /// `$id`: a URI without fragment.
  case identifier
  /// The name of `$anchor` and `$dynamicAnchor`.
  case anchor
  case object(ObjectKind)

  /// The keywords of the version's Schema Object (3.0 §4.7.24; draft 2020-12 and the OpenAPI base vocabulary).
  static func known(_ line: OpenAPIVersion.Line) -> [String: SchemaKeyword] { line == .v30 ? v30 : v31 }

  private static let common: [String: SchemaKeyword] = [
    "title": .string, "multipleOf": .positive, "maximum": .number, "minimum": .number, "maxLength": .count,
    "minLength": .count, "pattern": .string, "maxItems": .count, "minItems": .count, "uniqueItems": .boolean,
    "maxProperties": .count, "minProperties": .count, "required": .names, "enum": .values, "type": .typeName,
    "not": .schema, "allOf": .schemas, "oneOf": .schemas, "anyOf": .schemas, "items": .schema,
    "properties": .schemaMap, "additionalProperties": .schemaOrBoolean, "description": .string, "format": .string,
    "default": .any, "discriminator": .object(.discriminator), "readOnly": .boolean, "writeOnly": .boolean,
    "example": .any, "externalDocs": .object(.externalDocumentation), "deprecated": .boolean, "xml": .object(.xml),
  ]

  private static let v30 = common.merging(
    ["nullable": .boolean, "exclusiveMaximum": .boolean, "exclusiveMinimum": .boolean, "$ref": .string]
  ) { $1 }

  private static let v31 = common.merging([
    "exclusiveMaximum": .number, "exclusiveMinimum": .number, "$ref": .string, "$id": .identifier, "$schema": .string,
    "$anchor": .anchor, "$dynamicRef": .string, "$dynamicAnchor": .anchor, "$vocabulary": .any, "$comment": .string,
    "$defs": .schemaMap, "definitions": .schemaMap, "prefixItems": .schemas, "contains": .schema,
    "minContains": .count, "maxContains": .count, "patternProperties": .schemaMap, "propertyNames": .schema,
    "if": .schema, "then": .schema, "else": .schema, "dependentSchemas": .schemaMap, "dependentRequired": .namesMap,
    "dependencies": .any, "unevaluatedItems": .schema, "unevaluatedProperties": .schema, "const": .any,
    "examples": .list, "contentEncoding": .string, "contentMediaType": .string, "contentSchema": .schema,
  ]) { $1 }

  static let typeNames = ["array", "boolean", "integer", "number", "object", "string"]
}
