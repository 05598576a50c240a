/// The published metaschemas, inside the binary so that it can be moved. By the JSON Schema organisation, under the
/// Academic Free License 3.0 or the Revised BSD License.
enum Metaschema {
  /// The text of the metaschema with this URI (without fragment), nil for any other URI.
  static func text(_ uri: String) -> String? {
    switch uri {
    case "http://json-schema.org/draft-04/schema": draft4
    case "http://json-schema.org/draft-06/schema": draft6
    case "http://json-schema.org/draft-07/schema": draft7
    case "https://json-schema.org/draft/2019-09/schema": draft201909
    case "https://json-schema.org/draft/2019-09/meta/core": draft201909Core
    case "https://json-schema.org/draft/2019-09/meta/applicator": draft201909Applicator
    case "https://json-schema.org/draft/2019-09/meta/validation": draft201909Validation
    case "https://json-schema.org/draft/2019-09/meta/meta-data": draft201909MetaData
    case "https://json-schema.org/draft/2019-09/meta/format": draft201909Format
    case "https://json-schema.org/draft/2019-09/meta/content": draft201909Content
    case "https://json-schema.org/draft/2020-12/schema": draft202012
    case "https://json-schema.org/draft/2020-12/meta/core": draft202012Core
    case "https://json-schema.org/draft/2020-12/meta/applicator": draft202012Applicator
    case "https://json-schema.org/draft/2020-12/meta/unevaluated": draft202012Unevaluated
    case "https://json-schema.org/draft/2020-12/meta/validation": draft202012Validation
    case "https://json-schema.org/draft/2020-12/meta/meta-data": draft202012MetaData
    case "https://json-schema.org/draft/2020-12/meta/format-annotation": draft202012FormatAnnotation
    case "https://json-schema.org/draft/2020-12/meta/format-assertion": draft202012FormatAssertion
    case "https://json-schema.org/draft/2020-12/meta/content": draft202012Content
    case "https://spec.openapis.org/oas/3.1/dialect/base": openAPI31
    case "https://spec.openapis.org/oas/3.1/meta/base": openAPI31Base
    default: nil
    }
  }
}

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
