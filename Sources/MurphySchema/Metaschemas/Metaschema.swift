/// The published metaschemas, embedded in the binary so that it can be moved. `Resources` has one file for each. They
/// are by the JSON Schema organisation, under the Academic Free License 3.0 or the Revised BSD License. Those of
/// OpenAPI 3.1 are the dialect of its Schema Object (OpenAPI 3.1.1 §4.8.24) and the keywords that it adds (§4.8.24.2).
enum Metaschema {
  /// The JSON text of the metaschema with this URI (without fragment); nil for any other URI.
  static func text(_ uri: String) -> [UInt8]? {
    switch uri {
    case "https://json-schema.org/draft/2019-09/meta/applicator": PackageResources.draft2019_09_applicator_json
    case "https://json-schema.org/draft/2019-09/meta/content": PackageResources.draft2019_09_content_json
    case "https://json-schema.org/draft/2019-09/meta/core": PackageResources.draft2019_09_core_json
    case "https://json-schema.org/draft/2019-09/meta/format": PackageResources.draft2019_09_format_json
    case "https://json-schema.org/draft/2019-09/meta/meta-data": PackageResources.draft2019_09_meta_data_json
    case "https://json-schema.org/draft/2019-09/meta/validation": PackageResources.draft2019_09_validation_json
    case "https://json-schema.org/draft/2019-09/schema": PackageResources.draft2019_09_json
    case "https://json-schema.org/draft/2020-12/meta/applicator": PackageResources.draft2020_12_applicator_json
    case "https://json-schema.org/draft/2020-12/meta/content": PackageResources.draft2020_12_content_json
    case "https://json-schema.org/draft/2020-12/meta/core": PackageResources.draft2020_12_core_json
    case "https://json-schema.org/draft/2020-12/meta/format-annotation":
      PackageResources.draft2020_12_format_annotation_json
    case "https://json-schema.org/draft/2020-12/meta/format-assertion":
      PackageResources.draft2020_12_format_assertion_json
    case "https://json-schema.org/draft/2020-12/meta/meta-data": PackageResources.draft2020_12_meta_data_json
    case "https://json-schema.org/draft/2020-12/meta/unevaluated": PackageResources.draft2020_12_unevaluated_json
    case "https://json-schema.org/draft/2020-12/meta/validation": PackageResources.draft2020_12_validation_json
    case "https://json-schema.org/draft/2020-12/schema": PackageResources.draft2020_12_json
    case "http://json-schema.org/draft-04/schema": PackageResources.draft4_json
    case "http://json-schema.org/draft-06/schema": PackageResources.draft6_json
    case "http://json-schema.org/draft-07/schema": PackageResources.draft7_json
    case "https://spec.openapis.org/oas/3.1/dialect/base": PackageResources.openapi31_dialect_base_json
    case "https://spec.openapis.org/oas/3.1/meta/base": PackageResources.openapi31_meta_base_json
    default: nil
    }
  }
}
