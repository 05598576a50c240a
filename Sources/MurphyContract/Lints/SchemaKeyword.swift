import MurphyJSON
import MurphySchema

/// What a keyword of a Schema Object may hold.
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
