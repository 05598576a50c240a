import MurphyJSON
import MurphyModel

/// Finds schemas of answers that can reject nothing, whatever the answer says.
struct RejectionCheck {
  private let navigator: SchemaNavigator

  init(_ sources: DocumentSet) { navigator = SchemaNavigator(sources) }

  /// Whether some JSON value is refused by `schema`. What cannot be followed counts as able to.
  func canReject(_ schema: Located) -> Bool {
    var visited: Set<LocationKey> = []
    return canReject(schema, &visited, depth: 0)
  }

  private func canReject(_ schema: Located, _ visited: inout Set<LocationKey>, depth: Int) -> Bool {
    if schema.value.bool == false || depth > 200 { return true }
    // In a circle nothing new is said.
    guard visited.insert(schema.key).inserted else { return false }
    let scope = navigator.scope(of: schema)
    if scope.isOpaque { return true }
    for part in scope.parts {
      if part.value.object?.members.contains(where: { Self.asserts($0.key, $0.value) }) == true { return true }
      for child in SchemaSurvey.children(of: part) where canReject(child, &visited, depth: depth + 1) { return true }
    }
    for choice in scope.choices {
      if choice.keyword == "oneOf", choice.branches.count > 1 { return true }
      if choice.keyword == "if" || choice.branches.count == 1 {
        for branch in choice.branches where canReject(branch, &visited, depth: depth + 1) { return true }
      } else {
        var all = true
        for branch in choice.branches where !canReject(branch, &visited, depth: depth + 1) { all = false }
        if all { return true }
      }
    }
    return false
  }

  /// Keywords that by themselves refuse something.
  private static func asserts(_ keyword: String, _ value: JSONValue) -> Bool {
    switch keyword {
    case "type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
      "maxLength",
      "pattern", "maxItems", "maxProperties", "format", "contains", "propertyNames", "dependentRequired", "not":
      true
    case "minLength", "minItems", "minProperties": value.int != 0
    case "required": value.array?.isEmpty == false
    case "uniqueItems": value.bool == true
    case "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "items": value == .bool(false)
    default: false
    }
  }
}
