/// The groups of keywords that a metaschema turns on (JSON Schema 2019-09 and 2020-12, core §8.1).
struct Vocabularies: OptionSet, Sendable, Hashable {
  let rawValue: Int

  static let applicator = Vocabularies(rawValue: 1)
  static let unevaluated = Vocabularies(rawValue: 2)
  static let validation = Vocabularies(rawValue: 4)
  static let formatAssertion = Vocabularies(rawValue: 8)
  static let content = Vocabularies(rawValue: 16)
  /// Every keyword of the dialect; formats are asserted only where that is asked for.
  static let standard: Vocabularies = [.applicator, .unevaluated, .validation, .content]

  /// What a vocabulary URI adds, nil for one that is not known.
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
