extension Metaschema {
  /// The dialect of OpenAPI 3.1's Schema Object (OpenAPI 3.1.1 §4.8.24).
  static let openAPI31 = #"""
    {
      "$id": "https://spec.openapis.org/oas/3.1/dialect/base",
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$dynamicAnchor": "meta",
      "$vocabulary": {
        "https://json-schema.org/draft/2020-12/vocab/core": true,
        "https://json-schema.org/draft/2020-12/vocab/applicator": true,
        "https://json-schema.org/draft/2020-12/vocab/unevaluated": true,
        "https://json-schema.org/draft/2020-12/vocab/validation": true,
        "https://json-schema.org/draft/2020-12/vocab/meta-data": true,
        "https://json-schema.org/draft/2020-12/vocab/format-annotation": true,
        "https://json-schema.org/draft/2020-12/vocab/content": true,
        "https://spec.openapis.org/oas/3.1/vocab/base": false
      },
      "allOf": [
        { "$ref": "https://json-schema.org/draft/2020-12/schema" },
        { "$ref": "https://spec.openapis.org/oas/3.1/meta/base" }
      ]
    }
    """#

  /// The keywords that OpenAPI adds: discriminator, xml, externalDocs, example (OpenAPI 3.1.1 §4.8.24.2).
  static let openAPI31Base = #"""
    {
      "$id": "https://spec.openapis.org/oas/3.1/meta/base",
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$dynamicAnchor": "meta",
      "type": ["object", "boolean"],
      "properties": {
        "discriminator": {
          "type": "object",
          "required": ["propertyName"],
          "properties": {
            "propertyName": { "type": "string" },
            "mapping": { "type": "object", "additionalProperties": { "type": "string" } }
          }
        },
        "externalDocs": { "type": "object", "required": ["url"], "properties": { "url": { "type": "string" } } },
        "xml": { "type": "object" }
      }
    }
    """#
}
