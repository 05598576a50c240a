/// The dialects of schemas.
public enum Dialect: String, Sendable, Hashable, CaseIterable {
  case draft4 = "http://json-schema.org/draft-04/schema"
  case draft6 = "http://json-schema.org/draft-06/schema"
  case draft7 = "http://json-schema.org/draft-07/schema"
  case draft201909 = "https://json-schema.org/draft/2019-09/schema"
  case draft202012 = "https://json-schema.org/draft/2020-12/schema"
  /// The Schema Object of OpenAPI 3.0: a subset of draft 5 with `nullable` and other keywords. The URI is Murphy's own.
  case openAPI30 = "https://spec.openapis.org/oas/3.0/dialect/base"
  /// The Schema Object of OpenAPI 3.1 and 3.2: draft 2020-12 with the OpenAPI base vocabulary.
  case openAPI31 = "https://spec.openapis.org/oas/3.1/dialect/base"

  /// The dialect of a `$schema`; an empty fragment is ignored.
  public init?(uri: String) {
    let uri = uri.hasSuffix("#") ? String(uri.dropLast()) : uri
    if uri.hasPrefix("https://spec.openapis.org/oas/3.") && uri.contains("/dialect/") && uri != Self.openAPI30.rawValue
    {
      self = .openAPI31
    } else if let dialect = Dialect(rawValue: uri) {
      self = dialect
    } else {
      return nil
    }
  }

  /// A name in one of the common spellings: `4`, `draft7`, `2020-12`, `openapi3.0`.
  public init?(name: String) {
    switch name.lowercased().replacing("draft", with: "").trimmingPrefix("-") {
    case "4", "04": self = .draft4
    case "6", "06": self = .draft6
    case "7", "07": self = .draft7
    case "2019-09", "201909": self = .draft201909
    case "2020-12", "202012": self = .draft202012
    case "openapi3.0", "openapi30": self = .openAPI30
    case "openapi3.1", "openapi31", "openapi3.2": self = .openAPI31
    default:
      guard let dialect = Dialect(uri: name) else { return nil }
      self = dialect
    }
  }

  /// The name in messages: `draft 2020-12`.
  public var name: String {
    switch self {
    case .draft4: "draft 4"
    case .draft6: "draft 6"
    case .draft7: "draft 7"
    case .draft201909: "draft 2019-09"
    case .draft202012: "draft 2020-12"
    case .openAPI30: "OpenAPI 3.0"
    case .openAPI31: "OpenAPI 3.1"
    }
  }

  /// The draft whose rules apply, as an ascending number.
  package var generation: Int {
    switch self {
    case .draft4, .openAPI30: 4
    case .draft6: 6
    case .draft7: 7
    case .draft201909: 2019
    case .draft202012, .openAPI31: 2020
    }
  }

  var isOpenAPI: Bool { self == .openAPI30 || self == .openAPI31 }

  /// The keywords next to a `$ref` are ignored.
  var refHidesSiblings: Bool { generation <= 7 }
}

/// The groups of keywords that a metaschema enables (JSON Schema 2019-09 and 2020-12, core §8.1).
struct Vocabularies: OptionSet, Sendable, Hashable {
  let rawValue: Int

  static let applicator = Vocabularies(rawValue: 1)
  static let unevaluated = Vocabularies(rawValue: 2)
  static let validation = Vocabularies(rawValue: 4)
  static let formatAssertion = Vocabularies(rawValue: 8)
  static let content = Vocabularies(rawValue: 16)
  /// Every keyword of the dialect; formats are asserted only on request.
  static let standard: Vocabularies = [.applicator, .unevaluated, .validation, .content]

  /// The vocabulary of a URI; nil for an unknown one.
  static func named(_ uri: String, required: Bool) -> Vocabularies? {
    let parts = uri.split(separator: "/").suffix(3)
    guard parts.dropFirst().first == "vocab" || uri.contains("/vocab/"), uri.contains("://json-schema.org/draft/20")
    else {
      return uri.hasPrefix("https://spec.openapis.org/oas/3.") ? [] : nil
    }
    switch parts.last {
    case "core", "meta-data", "format-annotation": return []
    case "applicator": return uri.contains("2019-09") ? [.applicator, .unevaluated] : .applicator
    case "unevaluated": return .unevaluated
    case "validation": return .validation
    case "content": return .content
    case "format-assertion": return .formatAssertion
    case "format": return required ? .formatAssertion : []
    default: return nil
    }
  }
}

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
